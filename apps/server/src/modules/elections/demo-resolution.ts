import { DAY_MS, HOUR_MS, instantAfter } from '@portal/contract/days';
import type { ElectionValues } from '@portal/contract/elections/elections';
import type { ElectionOption } from '@portal/contract/elections/options';
import type { Change } from '../../platform/database/index.ts';
import { addElection, publishElection } from './elections.ts';
import { saveOptions } from './options.ts';

/** A day from today, and hours of it (UTC). */
type At = readonly [day: number, hour: number];
type Resolution = {
  title: string;
  description: string;
  windows: readonly { kind: ElectionValues['windows'][number]['kind']; opens: At; closes: At }[];
  options: readonly ElectionOption[];
  /** Day of its publication, relative to today. */
  published: number;
};

/** Returns an instant on a day relative to today. */
export const demoInstant = (today: Date, [day, hour]: At): string =>
  instantAfter(Math.floor(today.getTime() / DAY_MS) * DAY_MS + day * DAY_MS, hour * HOUR_MS);

/** Publishes a resolution of members in the demo registry, with ballots of the portal. Returns its number. */
export async function addDemoResolution(
  change: Change,
  today: Date,
  { title, description, windows, options, published }: Resolution,
): Promise<number> {
  const { electionId, version } = await addElection({
    change,
    body: {
      kind: 'resolution',
      title,
      description,
      seats: null,
      maxSelections: null,
      timeZone: 'Australia/Brisbane',
      conference: null,
      registrationCutOff: null,
      candidatesUrl: '',
      resultsUrl: '',
      windows: windows.map(({ kind, opens, closes }) => ({
        kind,
        opensAt: demoInstant(today, opens),
        closesAt: demoInstant(today, closes),
        url: '',
      })),
    },
  });
  await saveOptions({ change, params: { electionId }, body: { rows: options } });
  await publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(demoInstant(today, [published, 4])) });
  return Number(electionId);
}
