import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { staffPermissionKeys } from '../staff-permissions.ts';

/** Preferences stored for a person between visits, by key. */
export const preferenceKeys = {
  /** IANA name or 'system'. */
  timeZone: z.string().check(z.maxLength(64)),
  hourCycle: z.enum(['system', 'h12', 'h23']),
  theme: z.enum(['system', 'light', 'dark']),
} as const;
/** Columns and filters of a table, at most. */
const MAX_COLUMNS = 100;
/** Bytes that the settings of a person have: they come with every page. */
export const MAX_PREFERENCES = 65_536;

const ColumnId = z.string().check(z.maxLength(60));
const ColumnIds = z.array(ColumnId).check(z.maxLength(MAX_COLUMNS));
const Filters = z
  .record(z.string().check(z.maxLength(60)), z.string().check(z.maxLength(400)))
  .check(z.refine(filters => Object.keys(filters).length <= MAX_COLUMNS, { error: `Keep at most ${MAX_COLUMNS} filters` }));

/** Tables keep columns, sorting and filters under `table:<table id>`. */
export const TableState = z.object({
  hidden: z.optional(ColumnIds),
  order: z.optional(ColumnIds),
  sort: z.optional(z.nullable(z.object({ by: ColumnId, direction: z.enum(['asc', 'desc']) }))),
  filters: z.optional(Filters),
  pageSize: z.optional(z.int().check(z.minimum(10), z.maximum(500))),
  /** Filters that the person named. */
  saved: z.optional(
    z
      .array(
        z.object({
          name: z.string().check(z.minLength(1), z.maxLength(40)),
          filters: Filters,
        }),
      )
      .check(z.maxLength(20, { error: 'Save at most 20 filters of a table' })),
  ),
});
export type TableState = z.infer<typeof TableState>;

export const Preferences = z.object({
  timeZone: z.optional(preferenceKeys.timeZone),
  hourCycle: z.optional(preferenceKeys.hourCycle),
  theme: z.optional(preferenceKeys.theme),
  tables: z.record(z.string(), TableState),
});
export type Preferences = z.infer<typeof Preferences>;

/** The signed-in person. */
export const Person = z.object({
  userId: z.string(),
  /** The name to greet the person by: the display-name rule of the specification, section 3. */
  name: z.string(),
  fullName: z.string(),
  email: z.string(),
  /** Registry staff. */
  staff: z.boolean(),
  /** The permissions that roles give registry staff now; empty for others. */
  staffPermissions: z.array(z.enum(staffPermissionKeys)),
  /** A second factor is enrolled, whether or not this session used it. */
  hasSecondFactor: z.boolean(),
  /** This session was opened with a second factor. */
  mfa: z.boolean(),
  /** Privileged permissions count only in a session with a second factor, here. */
  privilegesNeedFactor: z.boolean(),
  /** Until when this login can't change anything in the registry, because its password was reset, its address changed, or a factor was lost. */
  coolDownUntil: z.nullable(z.iso.datetime()),
  preferences: Preferences,
});
export type Person = z.infer<typeof Person>;

export const PreferenceChange = z.object({
  timeZone: z.optional(preferenceKeys.timeZone),
  hourCycle: z.optional(preferenceKeys.hourCycle),
  theme: z.optional(preferenceKeys.theme),
  /** One table's state, by table id (`resources.ipv4`). */
  table: z.optional(z.object({ id: z.string().check(z.regex(/^[a-z][a-zA-Z0-9.-]{0,59}$/)), state: TableState })),
});
export type PreferenceChange = z.infer<typeof PreferenceChange>;

export const people = group('identity.people', {
  getMe: endpoint({
    method: 'GET',
    path: '/api/me',
    summary: 'The signed-in person with personal settings.',
    access: signedIn,
    answer: Person,
  }),
  savePreferences: endpoint({
    method: 'PATCH',
    path: '/api/me/preferences',
    summary: 'Keep personal settings: time zone, hour cycle, theme, the columns and saved filters of a table.',
    access: signedIn,
    effect: 'own settings',
    body: PreferenceChange,
    answer: Preferences,
    errors: ['INVALID_REQUEST'],
    activity: 'Changed personal settings',
  }),
});
