// Generated from the migrated database by write-tables.ts; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Read as a value, written as JSON text. */
export type Json = ColumnType<JsonValue, string, string>;

/** The tables of the database, as queries see them. */
export interface Tables {
  activity: {
    activityId: GeneratedAlways<number>;
    happenedAt: Generated<string>;
    action: string;
    summary: string;
    traceId: string;
    accountName: string | null;
    loginIssuer: string | null;
    loginSubject: string | null;
    contactId: string | null;
    sid: string | null;
    amr: string[] | null;
    address: string | null;
    refusal: string | null;
    details: ColumnType<JsonValue, string | undefined, string>;
  };
  activitySeal: {
    position: number;
    activityId: number;
    hash: Buffer;
    sealedAt: Generated<string>;
  };
  migration: {
    name: string;
    sha256: string;
    at: Generated<string>;
  };
  rowChange: {
    rowChangeId: GeneratedAlways<number>;
    activityId: number;
    tableName: string;
    operation: 'INSERT' | 'UPDATE' | 'DELETE';
    before: ColumnType<JsonValue | null, string | null | undefined, string | null>;
    after: ColumnType<JsonValue | null, string | null | undefined, string | null>;
  };
  task: {
    taskId: GeneratedAlways<number>;
    name: string;
    summary: string;
    input: Json;
    activityId: number;
    accountName: string | null;
    state: Generated<'queued' | 'running' | 'completed' | 'cancelled' | 'expired'>;
    outcome: 'success' | 'partial' | 'failed' | null;
    itemsDone: Generated<number>;
    itemsTotal: number | null;
    error: string | null;
    attempts: Generated<number>;
    createdAt: Generated<string>;
    startedAt: string | null;
    finishedAt: string | null;
  };
}
