import type { RecordHealth, RecordSubjectName } from '@portal/contract/records/records';
import type { IconName } from '@portal/ui';

/** Titles of the subjects. */
export const subjectTitles: Record<RecordSubjectName, string> = {
  registration: 'Registration',
  routing: 'Routing',
  'reverse-dns': 'Reverse DNS',
  abuse: 'Abuse contact',
  objects: 'Whois objects',
  tickets: 'Tickets',
  fee: 'Fee share',
};

export const healthMarks: Record<RecordHealth['mark'], { icon: IconName; word: string; count: string }> = {
  invalid: { icon: 'invalid', word: 'Urgent', count: 'urgent' },
  warning: { icon: 'warning', word: 'Needs attention', count: 'to check' },
  info: { icon: 'info', word: 'Note', count: 'to know' },
  valid: { icon: 'valid', word: 'Fine', count: 'fine' },
};

/** "1 urgent, 2 to check, 4 fine" */
export function healthInWords(health: readonly Pick<RecordHealth, 'mark'>[]): string {
  return (['invalid', 'warning', 'info', 'valid'] as const)
    .map(mark => [health.filter(each => each.mark === mark).length, healthMarks[mark].count] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}
