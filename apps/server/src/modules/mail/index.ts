export { deliverMail, type Message, type Post, sendMail } from './mail.ts';
export { showKeptMail } from './kept-mail.ts';
