export { acceptAsApplicant, applicantsAgreement, countTextsToAccept, refuseUnaccepted } from './acceptances.ts';
export { legalModule } from './module.ts';
export { publicText, type PublicText, publicTexts } from './public-texts.ts';
