import type { staffCases } from '@portal/contract/staff/cases';
import type { desk } from '@portal/contract/staff/desk';
import type { staffQueues } from '@portal/contract/staff/queues';
import type { replyTemplates } from '@portal/contract/staff/reply-templates';
import type { riskMarks } from '@portal/contract/staff/risk-marks';
import type { staff } from '@portal/contract/staff/staff';
import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const staffWords = {
  activities: {
    'staff.cases': {
      category: 'system',
      staffOnly: true,
      actions: {
        watchCase: 'Watch a case',
        remindOfCase: 'Ask to be reminded of a case',
        removeReminder: 'Remove a reminder of a case',
        linkCase: 'Link two cases',
        unlinkCase: 'Remove the link between two cases',
        handOverCase: 'Hand a case over',
        notifyWatchers: 'Notify a watcher of a case',
        mailReminders: 'Send a reminder of a case',
        removeStale: 'Remove notes of cases that no one needs',
      },
    },
    'staff.desk': { category: 'system', actions: { findPeople: 'Search for a person' } },
    'staff.queues': { category: 'system', actions: { saveQueue: 'Save a queue', deleteQueue: 'Delete a saved queue' } },
    'staff.replyTemplates': {
      category: 'system',
      actions: {
        addReplyTemplate: 'Add a reply template',
        changeReplyTemplate: 'Change a reply template',
        deleteReplyTemplate: 'Delete a reply template',
      },
    },
    'staff.riskMarks': {
      category: 'account',
      staffOnly: true,
      actions: { addRiskMark: 'Set a risk mark', removeRiskMark: 'Remove a risk mark' },
    },
    staff: {
      category: 'account',
      actions: {
        startVisit: 'View the account',
        endVisit: 'Stop viewing the account',
      },
    },
  },
  unshown: {
    case_link: 'notes of registry staff',
    case_reminder: 'notes of registry staff',
    case_watch: 'notes of registry staff',
    reply_template: 'texts of registry staff',
    risk_mark: 'notes of registry staff about the account',
    saved_queue: 'bookmarks of registry staff',
    staff_visit: 'the registry’s; the visit itself is a line of the account',
  },
} satisfies ModuleWords<{
  'staff.cases': typeof staffCases;
  'staff.desk': typeof desk;
  'staff.queues': typeof staffQueues;
  'staff.replyTemplates': typeof replyTemplates;
  'staff.riskMarks': typeof riskMarks;
  staff: typeof staff;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    staff: typeof staffWords;
  }
}
