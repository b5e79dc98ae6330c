import { type ModuleWords } from '../../platform/activity-words.ts';

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
  },
  unshown: {
    freeze_link: 'of one mail, and of the login it stands for',
    mail_refusal: 'an address’s, for any sender',
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    mail: typeof mailWords;
  }
}
