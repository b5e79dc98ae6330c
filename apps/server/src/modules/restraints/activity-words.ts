import type { restraints } from '@portal/contract/restraints/restraints';
import { type ModuleWords, text, time, word } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const restraintsWords = {
  activities: {
    restraints: {
      category: 'account',
      actions: {
        setRestraint: 'Restrain the account',
        liftRestraint: 'Lift a restraint of the account',
        begin: 'Begin a restraint of the account',
        end: 'End a restraint of the account',
      },
    },
  },
  rows: {
    account_restraint: {
      what: 'Restraint by the registry',
      key: ['account_restraint_id'],
      owner: 'account_name',
      name: ['kind'],
      columns: {
        kind: word('Kind'),
        reason: word('Reason'),
        member_text: text('Text'),
        begins_at: time('Begins'),
        ends_at: time('Ends'),
        ended_at: time('Ended'),
        lift_reason: text('Reason for lifting it'),
      },
      unsaid: ['account_restraint_id', 'account_name', 'set_by', 'confirmed_by', 'set_at', 'set_activity', 'began_at', 'lifted_by'],
    },
  },
} satisfies ModuleWords<{ restraints: typeof restraints }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    restraints: typeof restraintsWords;
  }
}
