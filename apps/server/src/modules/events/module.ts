import { forGood } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { eventNames } from './act-names.ts';
import { eventsWords } from './activity-words.ts';
import { calendarPages } from './calendar-pages.ts';
import { attendanceFile, checkAttendance } from './certificates.ts';
import { eventsCalendar, followCalendar } from './outside-calendar.ts';
import { remindOfEvents } from './reminders.ts';
import { eventRoutes } from './routes.ts';
import { eventsPersonal } from './personal-data.ts';
import { eventsTexts } from './mail-texts.ts';

export const eventsModule: Module = {
  name: 'events',
  mailTexts: eventsTexts,
  tables: ['event', 'eventCertificate', 'eventRegistration', 'outsideEvent'],
  personal: eventsPersonal,
  routes: () => eventRoutes,
  pages: {
    readsFrom: 'primary',
    serve: (http, { db, config, profile, clock }) =>
      calendarPages(http, {
        read: db.read,
        appUrl: config.appUrl,
        profile,
        clock,
      }),
  },
  addressedFiles: ({ config, profile }) => [
    {
      what: 'attendance',
      open: (read, _caller, code) =>
        attendanceFile(read, { registryName: profile.registryName, appUrl: config.appUrl, fonts: config.certificateFonts }, code),
    },
  ],
  findsCertificate: checkAttendance,
  schedule: [
    { name: 'events.readCalendar', every: 60, run: ({ db, clock, outside }) => followCalendar(db, outside(eventsCalendar), clock()) },
    { name: 'events.remind', every: 60, run: ({ db, clock }) => remindOfEvents(db, clock()) },
  ],
  actNames: eventNames,
  words: eventsWords,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'voter',
      data: 'Registration for an event, and certificate of attendance',
      purpose: 'To hold the event, and to confirm that you attended',
      until: forGood,
      ends: 'record',
      tables: ['eventRegistration', 'eventCertificate'],
    },
  ],
};
