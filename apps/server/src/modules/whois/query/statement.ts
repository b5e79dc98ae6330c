import { sql } from 'kysely';
import { prepared, type Read } from '../../../platform/database/index.ts';

/**
 * A statement that is sent again and again, planned once for each connection. Parameters `$1`, `$2` … stand in it once each and in order. Arrays
 * stand in a `(select $1::int[])`: without their length before its eyes the planner finds the same plan for one element and a hundred, and keeps it.
 */
export function statement<Row>(text: string): (read: Read, ...values: unknown[]) => Promise<Row[]> {
  prepared(text);
  const parts = text.split(/\$\d+/);
  const template = Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray;
  return (read, ...values) => read.rows(sql<Row>(template, ...values));
}
