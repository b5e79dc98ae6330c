import { lockAccountIfAny, membershipOf } from './modules/accounts/index.ts';
import { openApiKeyVerifier } from './modules/api-keys/index.ts';
import { notifyAboutChange } from './modules/contacts/index.ts';
import { fileStorage, receiveFile } from './modules/documents/index.ts';
import { coolDownOf, type Identity } from './modules/identity/index.ts';
import { refuseUnaccepted } from './modules/legal/index.ts';
import { decisionPageOf, hasTwoPersonRule, propose } from './modules/proposals/index.ts';
import { refuseRestrained, refuseRestrainedChange } from './modules/restraints/index.ts';
import { neededInWords, staffPermissionsOf } from './modules/roles/index.ts';
import { visitOf } from './modules/staff/index.ts';
import { hasWrittenObjects } from './modules/whois/index.ts';
import { openActSentences } from './platform/act-names.ts';
import { type Admission, type ProposedCall, privilegesNeedFactor } from './platform/admission.ts';
import type { Change } from './platform/database/index.ts';
import { featureRefusal } from './platform/features.ts';
import { callTurns } from './platform/http/call-turns.ts';
import type { ModuleContext } from './platform/module.ts';
import { registryNow } from './platform/registry.ts';

/** Returns how calls are admitted: each question is answered by the module that knows. */
export function openAdmission(
  context: ModuleContext,
  identity: Identity,
  { undeclared, actWords }: Pick<Admission, 'undeclared' | 'actWords'>,
): Admission & { close: () => Promise<void> } {
  const { db, config, clock, outside } = context;
  const store = outside(fileStorage);
  const keys = openApiKeyVerifier(context);
  return {
    db,
    verifyApiKey: keys.verify,
    noteKeyCall: keys.noteCall,
    lockAccount: lockAccountIfAny,
    close: keys.close,
    receiveFile: (caller, file) => receiveFile({ read: db.read, store, now: clock() }, caller, file),
    verifyBearer: identity.verifyBearer,
    confirmedBy: identity.confirmations.read,
    membershipOf: (caller, accountName) => membershipOf(db.read, caller, accountName),
    staffPermissionsOf: loginId => staffPermissionsOf(db.read, loginId, clock()),
    neededInWords: needed => neededInWords(db.read, needed, clock().toISOString()),
    visitedAccountOf: async caller => {
      const visit = await visitOf(db.read, caller, { now: clock(), config });
      return visit && { ...visit.account, contactId: null, permissions: new Set(visit.account.permissions) };
    },
    coolDownOf: loginId => coolDownOf(db.read, loginId, clock()),
    refuseUnaccepted: (loginId, accountName) => refuseUnaccepted(db.read, { loginId, accountName, now: clock(), profile: context.profile }),
    refuseRestrained: (accountName, by, change) =>
      change
        ? refuseRestrainedChange(change, { accountName, by, profile: context.profile })
        : refuseRestrained(db.read, { accountName, by, now: clock(), profile: context.profile }),
    // Whois objects have a journal of their own.
    notifyAboutChange: (change, account, what) => notifyAboutChange(change, account, { what, hasWrittenBeside: hasWrittenObjects }),
    hasTwoPersonRule: accountName => hasTwoPersonRule(db.read, accountName),
    propose: async (change, { subject, ...asked }) => {
      const { endpoint } = asked;
      const { title, link } = subject ?? (await subjectOf(change, context, asked));
      return propose(change, { ...asked, title: title ?? actWords.get(endpoint.id) ?? endpoint.summary, link }, context);
    },
    stepUpAcr: config.stepUpAcr,
    actWords,
    sayAct: openActSentences(context.modules, () => db.read),
    askedActs: identity.askedActs,
    privilegesNeedFactor: privilegesNeedFactor(config),
    stepUpMaxAgeSeconds: config.stepUpMaxAgeSeconds,
    staffStepUpMaxAgeSeconds: config.staffStepUpMaxAgeSeconds,
    clock,
    registry: () => registryNow(context),
    turns: callTurns(context.memory),
    undeclared,
    featureRefusal: (flag, accountName) => featureRefusal(db.read, flag, accountName, config),
  };
}

/** Longest title of a proposal, in characters. */
const LONGEST = 150;

/** Returns the subject of a call of two roles, in the words in which its first person was asked about it, and the page where it is decided; null for the words of the act, and for the list. */
async function subjectOf(
  change: Change,
  { modules }: Pick<ModuleContext, 'modules'>,
  { endpoint, input }: Pick<ProposedCall, 'endpoint' | 'input'>,
): Promise<{ title: string | null; link: string | null }> {
  if (!endpoint.secondRole) return { title: null, link: null };
  const said = await openActSentences(modules, () => change)({ endpoint, account: null, input: { ...input, query: null } });
  const title = said?.replaceAll(/[\s\p{C}]+/gu, ' ') ?? null;
  const link = await decisionPageOf(change, modules, { action: endpoint.id, params: input.params });
  return { title: title !== null && title.length > LONGEST ? `${title.slice(0, LONGEST).toWellFormed()}…` : title, link };
}
