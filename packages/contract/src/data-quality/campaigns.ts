import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { campaignWordNames, unknownCampaignWords } from './campaign-text.ts';
import { findingKeys, livingStates } from './findings.ts';

const FindingName = z.enum(findingKeys);
const filters = {
  economy: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'Enter a two-letter economy code, such as AU' }))),
  state: z.optional(z.enum(livingStates)),
};
const onlyKnownWords = z.refine<string>(text => unknownCampaignWords(text).length === 0, {
  error: `In braces, use only ${campaignWordNames
    .slice(0, -1)
    .map(name => `{${name}}`)
    .join(', ')} or {${campaignWordNames.at(-1)}}`,
});

/** A subject is one line. */
const inOneLine = z.refine<string>(text => !text.includes('{list}'), { error: 'The list has several lines: use {count} in the subject' });

/** E-mails to the people who can put a finding right, sent once, and how many did. */
export const Campaign = z.object({
  campaignId: z.string(),
  finding: FindingName,
  subject: z.string(),
  body: z.string(),
  economy: z.nullable(z.string()),
  accountStatus: z.nullable(z.string()),
  startedBy: z.string(),
  startedAt: z.iso.datetime(),
  /** `sending` until everyone has been written to. */
  state: z.enum(['sending', 'sent', 'stopped']),
  people: z.int(),
  /** People who were written to, those whose finding was put right before their turn, and those who couldn’t be written to. */
  sent: z.int(),
  curedBefore: z.int(),
  failed: z.int(),
  /** Of those who were written to, whose accounts aren’t in the finding any more, and when that was counted; null before the first count. */
  cured: z.nullable(z.int()),
  curedAt: z.nullable(z.iso.datetime()),
  /** When it is counted for the last time. */
  measuredOn: z.nullable(z.iso.datetime()),
});
export type Campaign = z.infer<typeof Campaign>;

const CampaignDraft = z.object({
  subject: z.string(),
  body: z.string(),
  /** Label of the button of the e-mail. */
  act: z.string(),
  /** People it reaches now, and their accounts. */
  people: z.int(),
  accounts: z.int(),
  /** People left out because they got this campaign within `quietDays`, and accounts in which no one can be reached. */
  leftOut: z.int(),
  unreached: z.int(),
  quietDays: z.int(),
  /** Values of the words in braces for the first person; null where no one is reached. */
  example: z.nullable(
    z.object({
      name: z.string(),
      accounts: z.string(),
      organisations: z.string(),
      count: z.string(),
      list: z.string(),
      registry: z.string(),
    }),
  ),
  /** The latest campaign of the finding, which a new one names: of two people who send at the same time one is refused. */
  after: z.nullable(z.string()),
});
export type CampaignDraft = z.infer<typeof CampaignDraft>;

export const campaigns = group('dataQuality.campaigns', {
  listCampaigns: endpoint({
    method: 'GET',
    path: '/api/staff/data-quality/campaigns',
    summary: 'Campaigns of a finding, the latest first: who sent them, how far they are, and what they changed.',
    access: staff('accounts'),
    query: z.object({
      finding: FindingName,
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 10),
    }),
    answer: z.object({ rows: z.array(Campaign), total: z.int(), effectDays: z.int() }),
  }),
  getCampaignDraft: endpoint({
    method: 'GET',
    path: '/api/staff/data-quality/campaign-draft',
    summary: 'The usual text of a campaign, the people it would reach now, and real values for its words.',
    access: staff('announcements'),
    query: z.object({ finding: FindingName, ...filters }),
    answer: CampaignDraft,
    errors: ['NO_PERMISSION'],
  }),
  sendCampaign: endpoint({
    method: 'POST',
    path: '/api/staff/data-quality/campaigns',
    summary: 'Write to the people who can put a finding right. It is sent once; those who got the same campaign lately are left out.',
    access: staff('announcements'),
    effect: 'statements',
    body: z.object({
      finding: FindingName,
      ...filters,
      subject: oneLine(150, 3).check(onlyKnownWords, inOneLine),
      body: severalLines(4000, 20).check(onlyKnownWords),
      /** People and latest campaign of the draft: of two who send at the same time one is refused, and no more people are written to than the sender saw. */
      people: z.int().check(z.minimum(1), z.maximum(1_000_000)),
      after: z.nullable(z.string().check(z.maxLength(20))),
    }),
    answer: Campaign,
    errors: ['NO_PERMISSION', 'STALE', 'NOTHING_TO_DO'],
    activity: 'Sent a campaign',
  }),
  stopCampaign: endpoint({
    method: 'POST',
    path: '/api/staff/data-quality/campaigns/:campaignId/stop',
    summary: 'Stop a campaign that is being sent: people who weren’t written to yet are not.',
    access: staff('announcements'),
    effect: 'statements',
    body: z.object({}),
    answer: Campaign,
    errors: ['NO_PERMISSION', 'NOT_FOUND', 'NOTHING_TO_DO'],
    activity: 'Stopped a campaign',
  }),
});
