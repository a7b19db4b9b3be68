export { escapeMarkup } from './escape-markup.ts';
export { type HtmlDocument, htmlDocument } from './html-document.ts';
