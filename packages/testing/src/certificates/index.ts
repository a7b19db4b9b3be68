export { createCertificates, type TestCertificates } from './certificates.ts';
