export { type ImageFacts, readImageFacts } from './image-facts.ts';
export { countPages, documentFault, GET_PDFTOTEXT, PDF_TYPE, pdfText } from './pdf.ts';
