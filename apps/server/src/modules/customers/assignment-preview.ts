import { type AssignmentPreview, NewCustomerAssignment } from '@portal/contract/customers/customers';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import { listRestingSpace, readAssignment } from '../resources/index.ts';
import { lockWhois, shownText, type WhoisUpdate, writingRights } from '../whois/index.ts';
import { changedText, classOf, objectAt, refuseShown, storeObjects, objectTextOf } from './assignment-object.ts';
import { registerAssignment } from './new-assignment.ts';

class Undone extends Error {
  preview: AssignmentPreview;
  constructor(preview: AssignmentPreview) {
    super('undone');
    this.preview = preview;
  }
}

/** Rehearses `addAssignment`, and returns what it would write. @throws Failure as `addAssignment` */
export async function previewAssignment({
  change,
  account,
  body,
  registry,
  portable,
}: {
  change: Change;
  account: AdmittedAccount;
  body: NewCustomerAssignment;
  registry: PolicyAndSettings;
  portable?: boolean;
}): Promise<AssignmentPreview> {
  const { accountName } = account;
  try {
    return await change.attempt(async () => {
      if (body.visibility === 'public') await lockWhois(change);
      const assignmentId = await registerAssignment(change, account, body, await listRestingSpace(change, accountName), portable);
      const assignment = await readAssignment(change, accountName, assignmentId);
      const { kind, first, last, resource, type, netname } = assignment;
      const [place] = await change.rows<{ delegation: string; size: string; around: string | null }>(sql`
        select d.resource as delegation, a.size::text, (select o.resource from assignment o
          where o.delegation_id = a.delegation_id and o.level = a.level - 1 and o.first <= a.first and o.last >= a.last) as around
        from assignment a join delegation d using (delegation_id) where a.assignment_id = ${assignmentId}::bigint`);
      const object = await objectAt(change, { kind, first, last });
      let whois: AssignmentPreview['whois'] = null;
      if (body.visibility === 'public') {
        const credentials = await writingRights(change, account);
        const update: WhoisUpdate = object
          ? { operation: 'modify', text: changedText(object, null, body), expectedVersion: object.version }
          : { operation: 'create', text: await objectTextOf(change, account, assignment, body, credentials, registry.profile) };
        const [outcome] = await storeObjects(change, account, [update], { registry, credentials, dryRun: true });
        whois = {
          class: classOf(kind),
          shown: outcome?.shown ?? resource,
          before: object && shownText(object.text),
          after: outcome?.after ?? update.text,
        };
      } else if (object) throw refuseShown(object.shown);
      throw new Undone({ resource, size: place!.size, type, netname, delegation: place!.delegation, around: place!.around, whois });
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    await change.note({ resource: error.preview.resource, visibility: body.visibility });
    return error.preview;
  }
}
