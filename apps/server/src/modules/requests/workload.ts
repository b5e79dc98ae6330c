import type { Workload } from '@portal/contract/staff/queues';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** Open requests for resources of each reviewer, most first; those without one come last. */
export const workloadOf = (read: Pick<Read, 'rows'>): Promise<Workload[]> =>
  read.rows<Workload>(sql`select l.full_name as reviewer, count(*)::int as open,
      count(*) filter (where r.state in ('submitted', 'in-review', 'on-hold'))::int as waiting, min(r.submitted_at) as oldest
    from resource_request r left join login l on l.login_id = r.reviewer
    where r.resolved_at is null and r.submitted_at is not null and r.state <> 'draft'
    group by l.full_name order by l.full_name is null, count(*) desc, l.full_name limit 100`);
