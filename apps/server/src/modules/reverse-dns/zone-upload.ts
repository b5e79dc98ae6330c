import type { AnswerOf, BodyOf } from '@portal/contract';
import { maxRehearsed, maxUploadedZones, type reverseZoneFiles, type ZoneFileRow } from '@portal/contract/reverse-dns/zone-files';
import { formatCount, parseReverseZone, printPrefix } from '@portal/number-resources';
import type { Config } from '../../config.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { enqueueUpdates, findObjects, outcomeMessage, submitForAccount, type WhoisUpdate, writingRights } from '../whois/index.ts';
import { readKeys } from './key-material.ts';
import { dsIn, serverProblem, textOf, zoneProblem } from './submission.ts';
import { readZoneFile, type ZoneFileEntry, type ZoneFileProblem } from './zone-file.ts';
import { heldPrefixes } from './zones.ts';

type Tools = { profile: Profile; config: Config };
type Upload = BodyOf<typeof reverseZoneFiles.readZoneFile>;
type Wanted = { entry: ZoneFileEntry; update: WhoisUpdate };

/** Reads a file into domain objects. Entries with errors, and those outside of the account's space, are left out. */
async function readUpload(
  change: Change,
  account: AdmittedAccount,
  body: Upload,
  profile: Profile,
): Promise<{ entries: ZoneFileEntry[]; outside: ZoneFileEntry[]; wanted: Wanted[]; problems: ZoneFileProblem[] }> {
  const { entries, problems: found } = readZoneFile(body.text, body.origin);
  const problems = [...found];
  if (entries.length > maxUploadedZones)
    throw refuseField('text', `The file has ${entries.length} zones. Send at most ${maxUploadedZones} at a time`);
  const held = await heldPrefixes(change, account.accountName);
  const outside: ZoneFileEntry[] = [];
  const good = entries.filter(entry => {
    if (!entry.isGood) return false;
    const wrong = zoneProblem(entry.zone, held, account.accountName);
    if (wrong !== null) {
      outside.push(entry);
      problems.push({ line: entry.line, severity: 'warning', message: `${wrong}. It is left out` });
      return false;
    }
    const server = entry.servers.map(serverProblem).find(each => each !== null) ?? null;
    const key = readKeys(entry.ds.map(each => `DS ${each}`).join('\n'), [entry.zone]).problems[0]?.message ?? null;
    const problem = server ?? key;
    if (problem !== null) problems.push({ line: entry.line, severity: 'error', message: `${entry.zone}: ${problem}` });
    return problem === null;
  });
  const stored = new Map(
    (
      await findObjects(
        change,
        good.map(({ zone }) => ({ class: 'domain', key: zone })),
      )
    ).map(each => [each.key, each.text]),
  );
  const isNew = good.some(({ zone }) => !stored.has(zone));
  if (isNew && body.adminC === '') throw refuseField('adminC', 'Enter the handle of a contact for new zones, such as NW9-EX');
  if (isNew && body.mntBy === '') throw refuseField('mntBy', 'Choose a maintainer for new zones');
  const contacts = {
    descr: '',
    adminC: body.adminC,
    techC: body.techC || body.adminC,
    zoneC: body.zoneC || body.adminC,
    mntBy: body.mntBy,
  };
  const wanted = good.map(entry => {
    const before = stored.get(entry.zone) ?? null;
    const kept = entry.ds.length === 0 ? dsIn(before) : [];
    if (kept.length > 0)
      problems.push({
        line: entry.line,
        severity: 'warning',
        message: `${entry.zone} keeps its DS records, because the file lists none for it. To remove them, change the zone itself`,
      });
    const ds = kept.length > 0 ? kept : entry.ds;
    const text = textOf(entry.zone, entry.servers, ds, contacts, before, profile);
    return { entry: { ...entry, ds }, update: { operation: 'auto' as const, text } };
  });
  return { entries, outside, wanted, problems: problems.toSorted((a, b) => a.line - b.line) };
}

const prefixOf = (zone: string): string | null => {
  try {
    return printPrefix(parseReverseZone(zone));
  } catch {
    return null;
  }
};
const rowOf = (
  { zone, line, servers, ds }: ZoneFileEntry,
  action: ZoneFileRow['action'],
  outcome: ZoneFileRow['outcome'] = null,
): ZoneFileRow => ({ zone, prefix: prefixOf(zone), line, servers, ds, action, outcome });

/** Returns the delegations that a zone file would create. @throws Failure INVALID_REQUEST for a missing contact or maintainer */
export async function readUploadedFile(
  change: Change,
  account: AdmittedAccount,
  body: Upload,
  { profile, config }: Tools,
): Promise<AnswerOf<typeof reverseZoneFiles.readZoneFile>> {
  const credentials = await writingRights(change, account);
  const { entries, outside, wanted, problems } = await readUpload(change, account, body, profile);
  const first = wanted.slice(0, maxRehearsed);
  const outcomes =
    first.length === 0
      ? []
      : await submitForAccount(
          change,
          account,
          first.map(({ update }) => update),
          { credentials, mode: 'best-effort', dryRun: true, profile, limits: config },
        );
  const rows = first.map(({ entry, update }, index) => {
    const outcome = outcomeMessage(outcomes[index]!, update.text);
    const action =
      outcome.state === 'failed'
        ? 'refused'
        : outcome.state === 'unchanged'
          ? 'unchanged'
          : outcome.done === 'modify'
            ? 'modify'
            : 'create';
    return rowOf(entry, action, outcome);
  });
  return {
    total: entries.length,
    rows: [...rows, ...outside.slice(0, 100).map(entry => rowOf(entry, 'not-held'))].toSorted((a, b) => a.line - b.line),
    problems: problems.slice(0, 200),
  };
}

/** Delegates the zones of a zone file as a task of whois. @throws Failure INVALID_REQUEST, and those of `enqueueUpdates` */
export async function uploadZoneFile(
  change: Change,
  account: AdmittedAccount,
  body: Upload,
  { profile, config }: Tools,
): Promise<AnswerOf<typeof reverseZoneFiles.uploadZoneFile>> {
  await writingRights(change, account);
  const { wanted, problems } = await readUpload(change, account, body, profile);
  const error = problems.find(({ severity }) => severity === 'error');
  if (error) throw refuseField('text', `Line ${error.line}: ${error.message}`);
  if (wanted.length === 0) throw refuseField('text', 'The file delegates no zone of your space');
  const taskId = await enqueueUpdates(
    change,
    wanted.map(({ update }) => update),
    {
      accountName: account.accountName,
      contactId: account.contactId!,
      mode: 'best-effort',
      dryRun: false,
      summary: `Zone file with ${formatCount(wanted.length)} ${wanted.length === 1 ? 'zone' : 'zones'}`,
      limits: config,
    },
  );
  return { taskId, zones: wanted.length };
}
