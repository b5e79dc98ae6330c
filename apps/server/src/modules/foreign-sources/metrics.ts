import { SECOND_MS } from '@portal/contract/days';
import type { ModuleContext } from '../../platform/module.ts';
import { foreignSourcesOf } from './configured.ts';
import { sourceStates } from './copies.ts';

/** Lines of /metrics about each source that is mirrored: objects, the age of its copy, and whether the last turn failed. None where there is no source. */
export async function foreignMetrics(context: ModuleContext): Promise<readonly string[]> {
  const names = foreignSourcesOf(context).map(({ name }) => name);
  if (names.length === 0) return [];
  const now = context.clock().getTime();
  const states = (await sourceStates(context.db.read)).filter(({ name }) => names.includes(name));
  const ageOf = (at: string | null): string => (at === null ? 'NaN' : String(Math.round((now - Date.parse(at)) / SECOND_MS)));
  return [
    '# TYPE foreign_source_objects gauge',
    ...states.map(({ name, objects }) => `foreign_source_objects{source="${name}"} ${objects}`),
    '# TYPE foreign_source_success_age_seconds gauge',
    ...states.map(({ name, succeededAt }) => `foreign_source_success_age_seconds{source="${name}"} ${ageOf(succeededAt)}`),
    '# TYPE foreign_source_failures gauge',
    ...states.map(({ name, failures }) => `foreign_source_failures{source="${name}"} ${failures}`),
  ];
}
