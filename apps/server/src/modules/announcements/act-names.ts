import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const announcementNames: ActNames = { announcement: nameIn('announcement', { id: 'announcementId', name: 'title', owner: null }) };
