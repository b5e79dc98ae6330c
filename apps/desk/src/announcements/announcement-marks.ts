import type { StaffAnnouncement } from '@portal/contract/announcements/announcement-shapes';
import type { State } from '@portal/ui';

/** States of announcements in words. */
export const announcementMarks: Record<StaffAnnouncement['state'], { state: State; words: string }> = {
  draft: { state: 'pending', words: 'Draft' },
  scheduled: { state: 'info', words: 'Scheduled' },
  published: { state: 'valid', words: 'Published' },
  ended: { state: 'closed', words: 'Ended' },
  withdrawn: { state: 'invalid', words: 'Withdrawn' },
};
