import type { StaffInvitation } from '@portal/contract/roles/roles';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Read } from '../../platform/database/index.ts';
import { allRoles } from './held-roles.ts';

/** The offer of an invitation to registry staff, as it is kept with its link. */
export const InvitationOffer = z.object({
  fullName: z.string(),
  role: z.string(),
  reason: z.string(),
  startsAt: z.string().nullable(),
  until: z.string().nullable(),
  /** Login of who invites. */
  by: z.string(),
});
export type InvitationOffer = z.infer<typeof InvitationOffer>;

/** Invitations that wait for their person, the latest first. */
export async function openInvitations(read: Read, now: Date): Promise<StaffInvitation[]> {
  const [rows, roles] = await Promise.all([
    read.rows<Omit<StaffInvitation, 'role'> & { role: string }>(sql`
      select k.link_id as invitation_id, k.asked ->> 'fullName' as full_name, k.email, k.asked ->> 'role' as role, l.full_name as invited_by,
        k.made_at as sent_at, k.expires_at
      from login_link k join login l on l.login_id = k.asked ->> 'by'
      where k.purpose = 'staff-invitation' and k.used_at is null and k.expires_at > ${now.toISOString()}::timestamptz
      order by k.made_at desc, k.link_id limit 100`),
    allRoles(read),
  ]);
  return rows.map(row => ({ ...row, role: roles.find(({ key }) => key === row.role)?.name ?? row.role }));
}
