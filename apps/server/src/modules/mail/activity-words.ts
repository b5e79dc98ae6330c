import type { mailTexts } from '@portal/contract/mail/mail-texts';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const mailWords = {
  activities: {
    mail: {
      category: 'system',
      unlisted: true,
      actions: {
        deleteExpiredLinks: 'Forget the links of old e-mails',
        deliver: 'Deliver an e-mail',
        refused: 'Record a refused e-mail',
      },
    },
    'mail.mailTexts': {
      category: 'system',
      unlisted: true,
      actions: {
        saveMailText: 'Change the text of a mail',
        useProgramText: 'Undo the change of the text of a mail',
        sendTestMail: 'Send a test of a mail',
      },
    },
  },
  unshown: {
    freeze_link: 'of one mail, and of the login it stands for',
    mail_refusal: 'an address’s, for any sender',
    mail_text_version: 'the registry’s',
  },
} satisfies ModuleWords<{ 'mail.mailTexts': typeof mailTexts }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    mail: typeof mailWords;
  }
}
