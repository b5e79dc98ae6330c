import type { Registry } from '@portal/client';
import type { Declared } from './apply-file.ts';
import type { Finding } from './apply-file.ts';

/** One step of a plan, as people read it. `detail`: what changes of it, a line each. */
export type Step = { action: 'create' | 'change' | 'delete'; what: string; detail: readonly string[] };

/** The difference between one section of the file and the registry. */
export type SectionPlan = {
  steps: readonly Step[];
  /** Refusals of the registry, each at its place in the file. */
  findings: readonly Finding[];
  /** Things to know before agreeing. */
  warnings: readonly string[];
  /** Announcements that become invalid. */
  invalidates: number;
  /** Sends the change; with `dryRun` everything is checked and nothing stored. Left out where there is nothing to do. */
  send?: (how: { dryRun: boolean; say: (line: string) => void }) => Promise<void>;
};

export const noPlan: SectionPlan = { steps: [], findings: [], warnings: [], invalidates: 0 };

/**
 * How a section is compared: what it knows of, and whether what is not declared is deleted. `checked` makes a call that checks what would be sent; null where only
 * differences are wanted, and the key has no scope for the change.
 */
export type Planning = {
  registry: Registry;
  declared: Declared;
  prune: boolean;
  checked: <Answer>(call: () => Promise<Answer>) => Promise<Answer | null>;
};

/** A section of the file: its name, how it is planned, and how it looks as it is now. */
export type Section = {
  name: 'contacts' | 'reverseZones' | 'aspas' | 'routes' | 'roas';
  title: string;
  plan: (planning: Planning) => Promise<SectionPlan>;
  present: (registry: Registry) => Promise<unknown[]>;
};

/** Lines of what differs between two values, by their names. */
export const differences = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(after).flatMap(([name, value]) =>
    value === undefined || JSON.stringify(before[name]) === JSON.stringify(value)
      ? []
      : [`${name}: ${shown(before[name])} → ${shown(value)}`],
  );

const shown = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? 'none'
    : Array.isArray(value)
      ? value.length === 0
        ? 'none'
        : value.join(', ')
      : String(value as string | number | boolean);

/** `AS64500` of a number. */
export const asText = (asn: number): string => `AS${asn}`;
export const asNumber = (text: string): number => Number(text.slice(2));

/** An IPv6 address or prefix as the registry writes it is compared in lower case. */
export const samePrefix = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Reads a whole list. */
export async function allOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
