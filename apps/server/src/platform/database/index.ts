export type { ActivityInfo } from './activity.ts';
export { type ChangeOptions, type Database, type DatabaseOptions, openDatabase } from './database.ts';
export type { NotificationHandler } from './listening.ts';
export { migrate, MigrationError, type MigrationStatus, migrationStatus } from './migrations.ts';
export type { Change, EnqueueOptions, Query, Read, TaskType } from './read-change.ts';
export { describeTables } from './table-types.ts';
export type { Json, JsonValue, Tables } from './tables.ts';
