document.title = 'Parley';
