export { deliverMail, forgetLinks, sendMail } from './mail.ts';
export { showKeptMail } from './kept-mail.ts';
