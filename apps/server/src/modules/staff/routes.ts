import { accountPictures } from '@portal/contract/staff/account-pictures';
import { staffCases } from '@portal/contract/staff/cases';
import { desk } from '@portal/contract/staff/desk';
import { deskHome } from '@portal/contract/staff/desk-home';
import { staffQueues } from '@portal/contract/staff/queues';
import { replyTemplates } from '@portal/contract/staff/reply-templates';
import { riskMarks } from '@portal/contract/staff/risk-marks';
import { staff } from '@portal/contract/staff/staff';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getAccountPicture } from './account-picture.ts';
import { getAccountSheet } from './account-sheet.ts';
import { getCase, handOverCase, linkCase, remindOfCase, removeReminder, unlinkCase, watchCase } from './cases.ts';
import { getDeskHome } from './desk-home.ts';
import { findHolders } from './holders.ts';
import { findPeople } from './people.ts';
import { deleteQueue, listQueues, saveQueue } from './queues.ts';
import { addReplyTemplate, changeReplyTemplate, deleteReplyTemplate, listReplyTemplates } from './reply-templates.ts';
import { listRequests } from './requests.ts';
import { addRiskMark, removeRiskMark } from './risk-marks.ts';
import { endVisit, getVisit, startVisit } from './visits.ts';

export const staffRoutes: readonly Implementation[] = [
  implement(staff, {
    findHolders,
    startVisit,
    endVisit,
    getVisit,
  }),
  implement(desk, {
    findPeople,
    getAccountSheet,
    listRequests,
  }),
  implement(accountPictures, { getAccountPicture }),
  implement(staffCases, { getCase, watchCase, remindOfCase, removeReminder, linkCase, unlinkCase, handOverCase }),
  implement(riskMarks, { addRiskMark, removeRiskMark }),
  implement(deskHome, { getDeskHome }),
  implement(staffQueues, {
    listQueues,
    saveQueue,
    deleteQueue,
  }),
  implement(replyTemplates, {
    listReplyTemplates,
    addReplyTemplate,
    changeReplyTemplate,
    deleteReplyTemplate,
  }),
];
