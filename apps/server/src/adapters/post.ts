import nodemailer from 'nodemailer';

type Delivery = { recipient: string; subject: string; body: string; mailId: number };

/** Mail through the SMTP server of SMTP_URL; the message id is stable, so that a retry after a lost answer is recognised. */
export function smtpPost(smtpUrl: string, { from, host }: { from: string; host: string }) {
  const transport = nodemailer.createTransport(smtpUrl, { disableFileAccess: true, disableUrlAccess: true });
  return {
    deliver: async ({ recipient, subject, body, mailId }: Delivery): Promise<void> => {
      await transport.sendMail({ from, to: recipient, subject, text: body, messageId: `<mail-${mailId}@${host}>` });
    },
    keepsLinks: false,
    close: () => transport.close(),
  };
}

/** Without an SMTP server mail stays in the database; in demo mode /dev/mail shows it, links included. */
export const keptPost = ({ demoMode }: { demoMode: boolean }) => ({
  deliver: async (): Promise<void> => {},
  keepsLinks: demoMode,
  close: () => {},
});
