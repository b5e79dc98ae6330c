import { eventCertificates } from '@portal/contract/events/certificates';
import { deskEvents } from '@portal/contract/events/desk';
import { events } from '@portal/contract/events/events';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { listAttendedEvents } from './attended.ts';
import { certificateCases, eventCases, registrationCases } from './cases.ts';
import { decideCertificate, listAccountCertificates, openEventCertificate, requestCertificate } from './certificates.ts';
import {
  addEvent,
  cancelEvent,
  changeEvent,
  exportAttendance,
  getStaffEvent,
  listRegistrations,
  listStaffEvents,
  publishEvent,
} from './desk-events.ts';
import { cancelRegistration, registerForEvent } from './registrations.ts';
import { listUpcomingEvents } from './upcoming.ts';

export const eventRoutes: readonly Implementation[] = [
  implement(
    events,
    {
      listUpcomingEvents,
      listAttendedEvents,
      registerForEvent,
      cancelRegistration,
      requestCertificate,
      openEventCertificate,
    },
    registrationCases,
  ),
  implement(
    eventCertificates,
    {
      listAccountCertificates,
      decideCertificate,
    },
    certificateCases,
  ),
  implement(
    deskEvents,
    {
      listStaffEvents,
      getStaffEvent,
      listRegistrations,
      exportAttendance,
      addEvent,
      changeEvent,
      publishEvent,
      cancelEvent,
    },
    eventCases,
  ),
];
