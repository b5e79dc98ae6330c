import { MINUTE_MS } from '@portal/contract/days';
import type { Transporter } from 'nodemailer';
import { circuitBreaker } from '../platform/circuit-breaker.ts';

type Delivery = {
  recipient: string;
  subject: string;
  body: string;
  html: string;
  unsubscribe: string | null;
  mailId: number;
  /** Files the message carries; their bytes are in memory. */
  attachments: readonly { fileName: string; contentType: string; content: Uint8Array }[];
  thread?: { replyTo: string | null; messageId: string; root: string } | null;
};

/** An address with the name beside it: as settings have it, or in two parts where the name is anything that people chose. */
type MailFrom = string | { name: string; address: string };

/** A refusal as nodemailer reports it. */
type SmtpError = Error & { code?: string; responseCode?: number; command?: string; response?: string };

/** How long, in ms, a mail server may take to greet, and to answer a command. */
const GREETING_MS = 15_000;
const ANSWER_MS = MINUTE_MS;

/** Mail through the SMTP server of SMTP_URL; the message id is stable, so that a retry after a lost answer is recognised. */
export function smtpPost(smtpUrl: string, { from, host }: { from: () => MailFrom; host: string }) {
  let transport: Promise<Transporter> | undefined;
  const whileItAnswers = circuitBreaker('The mail server');
  // Loaded for the first message: a registry without a mail server never needs it.
  const connect = async (): Promise<Transporter> =>
    (await import('nodemailer')).default.createTransport(smtpUrl, {
      disableFileAccess: true,
      disableUrlAccess: true,
      connectionTimeout: GREETING_MS,
      greetingTimeout: GREETING_MS,
      socketTimeout: ANSWER_MS,
    } as object);
  return {
    deliver: async ({
      recipient,
      subject,
      body,
      html,
      unsubscribe,
      mailId,
      attachments,
      thread,
    }: Delivery): Promise<{ refusal: string } | undefined> => {
      try {
        transport ??= connect();
        const opened = await transport;
        const letter = {
          from: from(),
          to: recipient,
          subject,
          text: body,
          html,
          ...(attachments.length > 0 && {
            attachments: attachments.map(({ fileName, contentType, content }) => ({
              filename: fileName,
              contentType,
              content: Buffer.from(content),
            })),
          }),
          messageId: thread?.messageId ?? `<mail-${mailId}@${host}>`,
          ...(thread && { inReplyTo: thread.root, references: thread.root, ...(thread.replyTo !== null && { replyTo: thread.replyTo }) }),
          headers: {
            // Suppresses absence replies (RFC 3834).
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            // RFC 2369 and 8058.
            ...(unsubscribe !== null && {
              'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        };
        await whileItAnswers(() => opened.sendMail(letter));
        return undefined;
      } catch (error) {
        const refusal = refusalOf(error as SmtpError);
        if (refusal === null) throw error;
        return { refusal };
      }
    },
    keepsLinks: false,
    close: () => void transport?.then(opened => opened.close()),
  };
}

/**
 * Returns the server's message if it refused recipient or message permanently (RFC 5321 4.2.1, 5yz). A refused log-in or sender says
 * nothing about the recipient: the operator fixes it and the message is retried.
 */
function refusalOf({ responseCode = 0, command, response, message }: SmtpError): string | null {
  if (responseCode < 500 || responseCode > 599 || !/^(RCPT TO|DATA)/.test(command ?? '')) return null;
  return (response ?? message).replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** Without an SMTP server mail stays in the database; in demo mode /dev/mail shows it, links included. */
export const storedPost = ({ demoMode }: { demoMode: boolean }) => ({
  deliver: async (): Promise<undefined> => undefined,
  keepsLinks: demoMode,
  close: () => {},
});
