import type { AnswerOf, BodyOf } from '@portal/contract';
import { maxRehearsed, type reverseZoneFiles, type ZoneFileRow } from '@portal/contract/reverse-dns/zone-files';
import { formatCount, printPrefix } from '@portal/number-resources';
import type { Change } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { readApart, senderOf } from '../../platform/reading-apart.ts';
import type { Profile } from '../../profile.ts';
import { enqueueUpdates, findObjects, outcomeMessage, submitForAccount, type WhoisUpdate, writingRights } from '../whois/index.ts';
import { dsIn, textOf, unheldProblem } from './submission.ts';
import type { ZoneFileProblem } from './zone-file.ts';
import { type CheckedEntry, MAX_PROBLEMS, type read as readText } from './zone-file-thread.ts';
import { heldPrefixes } from './zones.ts';
import type { Act } from '../../platform/http/endpoints.ts';

type Upload = BodyOf<typeof reverseZoneFiles.readZoneFile>;
type FileRead = { entries: CheckedEntry[]; problems: ZoneFileProblem[] };
type Wanted = { entry: CheckedEntry; update: WhoisUpdate };

const fileApart = readApart<typeof readText>(new URL('./zone-file-thread.ts', import.meta.url));

/** Reads a zone file in the thread for texts. @param sender whose turn it is @throws Failure INVALID_REQUEST */
export const zoneFileApart = async (sender: string, { text, origin }: Pick<Upload, 'text' | 'origin'>): Promise<FileRead> => {
  const { portions, answer } = await fileApart(sender, { text, origin }, 'text');
  return { entries: portions.flat(), problems: answer.problems };
};

/** Reads the zone file of a call. @throws Failure INVALID_REQUEST */
export const zoneFileOf = (act: Parameters<typeof senderOf>[0] & { body: Upload }): Promise<FileRead> =>
  zoneFileApart(senderOf(act), act.body);

/** Makes domain objects from the delegations of a file, without those with errors or outside of the account's space. */
async function readUpload(
  change: Change,
  account: AdmittedAccount,
  { entries, problems: found }: FileRead,
  body: Upload,
  profile: Profile,
): Promise<{ outside: CheckedEntry[]; wanted: Wanted[]; problems: ZoneFileProblem[] }> {
  const problems = [...found];
  const held = await heldPrefixes(change, account.accountName);
  const outside: CheckedEntry[] = [];
  const good = entries.filter(({ zone, line, prefix, problem, ...entry }) => {
    if (prefix === null) return false;
    const wrong = unheldProblem(zone, prefix, held, account.accountName);
    if (wrong !== null) {
      outside.push({ ...entry, zone, line, prefix, problem });
      if (outside.length <= MAX_PROBLEMS) problems.push({ line, severity: 'warning', message: `${wrong}. It is left out` });
    } else if (problem !== null) problems.push({ line, severity: 'error', message: `${zone}: ${problem}` });
    return wrong === null && problem === null;
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
  return { outside, wanted, problems: problems.toSorted((a, b) => a.line - b.line) };
}

const rowOf = (
  { zone, prefix, line, servers, ds }: CheckedEntry,
  action: ZoneFileRow['action'],
  outcome: ZoneFileRow['outcome'] = null,
): ZoneFileRow => ({ zone, prefix: prefix && printPrefix(prefix), line, servers, ds, action, outcome });

/** Returns the delegations that a zone file would create. @throws Failure INVALID_REQUEST for a missing contact or maintainer */
export async function readZoneFile(
  { change, account, body, registry: { profile, config } }: Act<typeof reverseZoneFiles.readZoneFile>,
  file: FileRead,
): Promise<AnswerOf<typeof reverseZoneFiles.readZoneFile>> {
  const credentials = await writingRights(change, account);
  const { outside, wanted, problems } = await readUpload(change, account, file, body, profile);
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
    total: file.entries.length,
    rows: [...rows, ...outside.slice(0, 100).map(entry => rowOf(entry, 'not-held'))].toSorted((a, b) => a.line - b.line),
    problems: problems.slice(0, MAX_PROBLEMS),
  };
}

/** Delegates the zones of a zone file as a task of whois. @throws Failure INVALID_REQUEST, and those of `enqueueUpdates` */
export async function uploadZoneFile(
  { change, account, body, registry: { profile, config } }: Act<typeof reverseZoneFiles.uploadZoneFile>,
  file: FileRead,
): Promise<AnswerOf<typeof reverseZoneFiles.uploadZoneFile>> {
  await writingRights(change, account);
  const { wanted, problems } = await readUpload(change, account, file, body, profile);
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
