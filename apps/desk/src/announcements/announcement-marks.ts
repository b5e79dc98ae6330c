import type { StaffAnnouncement } from '@portal/contract/announcements/announcement-shapes';
import type { State } from '@portal/ui';

/** States of announcements in words. */
export const announcementMarks: Record<StaffAnnouncement['state'], { state: State; words: string }> = {
  DRAFT: { state: 'pending', words: 'Draft' },
  SCHEDULED: { state: 'info', words: 'Scheduled' },
  PUBLISHED: { state: 'valid', words: 'Published' },
  ENDED: { state: 'closed', words: 'Ended' },
  WITHDRAWN: { state: 'invalid', words: 'Withdrawn' },
};
