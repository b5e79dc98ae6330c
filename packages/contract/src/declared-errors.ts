import { admissionRefusal, type CallerFacts, neededStaffPermissions, type Subject } from './admission.ts';
import { allEndpoints } from './api.ts';
import { type Access, type Endpoint, isOfAccount, isUpload, secondPersonOf, takesIdempotencyKey } from './endpoint.ts';
import { errorCatalogue, type ErrorCode } from './errors.ts';
import { waitsForTexts } from './legal/waiting-calls.ts';
import { stoppedBy } from './restraints/stopped-calls.ts';
import { staffPermissionKeys } from './staff-permissions.ts';

/** Yields every combination of facts that admission distinguishes for a subject. */
export function* allFacts({ access }: Subject): Generator<CallerFacts> {
  for (const privilegesNeedFactor of [false, true]) for (const facts of factsOf(access)) yield { ...facts, privilegesNeedFactor };
}

const plainAccount = { nir: false, accountType: 'regular' };
const nationalRegistry = { nir: true, accountType: 'confed-nir' };

const noStaff = { staff: false, staffPermissions: new Set<string>() };
const noRole = { staff: true, staffPermissions: new Set<string>() };
/** People who are not staff, staff without a role, and staff with each permission alone that admission looks for, and with one that it doesn't. */
const staffFactsOf = (access: Access) => {
  const looked = new Set<string>([...neededStaffPermissions({ access }), 'accounts', 'audit']);
  const other = staffPermissionKeys.filter(key => !looked.has(key)).slice(0, 1);
  return [noStaff, noRole, ...[...looked, ...other].map(key => ({ staff: true, staffPermissions: new Set<string>([key]) }))];
};

function* factsOf(access: Access): Generator<Omit<CallerFacts, 'privilegesNeedFactor'>> {
  yield { caller: null, account: null };
  const kinds = access.who === 'member' && access.accounts ? [plainAccount, nationalRegistry] : [plainAccount];
  const permissionSets = access.who === 'member' ? [[], ...access.permissions.map(permission => [permission]), access.permissions] : [[]];
  const proofs = (['none', 'recovery-code', 'old', 'fresh'] as const).flatMap(factor =>
    [false, true].map(coolingDown => ({ factor, coolingDown })),
  );
  for (const staff of staffFactsOf(access))
    for (const proof of proofs) {
      const caller = { ...staff, ...proof };
      yield { caller, account: null };
      yield { caller, account: { as: 'visitor' } };
      // Of a contact no role counts.
      if (staff !== noStaff && staff !== noRole) continue;
      for (const contactTypes of [['billing'], ['technical'], ['corporate']])
        for (const permissions of permissionSets)
          for (const demandsSecondFactor of [false, true])
            for (const kind of kinds)
              yield { caller, account: { as: 'contact', contactTypes, permissions: new Set(permissions), demandsSecondFactor, ...kind } };
    }
}

/** The errors of a call that isn't possible for now: its feature is off, a legal text is overdue, or registry staff stopped it. Also of what a second person lets happen. */
function refusalsForNow(endpoint: Endpoint): ErrorCode[] {
  const { access, flag } = endpoint;
  return [
    ...(flag ? (['FEATURE_OFF'] as const) : []),
    ...(flag && isOfAccount(access) ? (['FEATURE_NOT_ON'] as const) : []),
    ...(waitsForTexts(endpoint) ? (['LEGAL_NOT_ACCEPTED'] as const) : []),
    ...(stoppedBy(endpoint) ? (['ACCOUNT_RESTRAINED'] as const) : []),
  ];
}

/** The errors an endpoint can answer: those it lists, those of its admission and of its input, and those of what else it declares, in the order of status. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const { access, body, carriesOut, path, errors } = endpoint;
  // A parameter that it doesn't have is refused by each.
  const codes = new Set<ErrorCode>(errors).add('INVALID_REQUEST');
  for (const facts of allFacts(endpoint)) {
    const code = admissionRefusal(endpoint, facts);
    if (code) codes.add(code);
  }
  // Many calls of one login wait for each other, and too many are refused.
  if (access.who !== 'anyone') codes.add('SESSION_ENDED').add('TOO_MANY_REQUESTS');
  if (path.includes(':')) codes.add('ADDRESS_TOO_LONG');
  if (body) codes.add('UNSUPPORTED_MEDIA_TYPE').add('PAYLOAD_TOO_LARGE');
  if (body && isUpload(body)) codes.add('FILE_TOO_LARGE').add('FILE_REFUSED').add('TOO_MANY_REQUESTS').add('FILES_UNAVAILABLE');
  if (endpoint.answer === 'download') codes.add('RANGE_OUTSIDE').add('FILES_UNAVAILABLE');
  if (carriesOut)
    for (const proposed of allEndpoints)
      if (secondPersonOf(proposed) === carriesOut) for (const code of [...proposed.errors, ...refusalsForNow(proposed)]) codes.add(code);
  for (const code of refusalsForNow(endpoint)) codes.add(code);
  if (takesIdempotencyKey(endpoint)) codes.add('IDEMPOTENCY_KEY_REUSED').add('CHANGE_GIVEN_UP');
  if (secondPersonOf(endpoint)) codes.add('SECOND_PERSON').add('NO_SECOND_PERSON');
  codes.add('UNEXPECTED_ERROR').add('UNAVAILABLE');
  if (endpoint.method !== 'GET') codes.add('CHANGES_PAUSED');
  return [...codes].sort((a, b) => errorCatalogue[a].status - errorCatalogue[b].status);
}

/** Refusals of sign-in, second factors and visits: a call with an API key gets none of them. */
const notByKey: ReadonlySet<ErrorCode> = new Set([
  'NOT_SIGNED_IN',
  'SESSION_ENDED',
  'MFA_REQUIRED',
  'MFA_TOO_OLD',
  'SECOND_FACTOR_DEMANDED',
  'VISIT_NEEDED',
  'VISIT_READS_ONLY',
  'NO_STAFF_PERMISSION',
  'CORPORATE_ONLY',
  'CORPORATE_OR_TECHNICAL_ONLY',
  // Programs read no texts.
  'LEGAL_NOT_ACCEPTED',
] as const);

/** The errors a call of the registry API can answer, in the order of status. */
export function registryApiErrorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set(errorsOf(endpoint).filter(code => !notByKey.has(code)));
  for (const code of [
    'API_KEY_MISSING',
    'API_KEY_REFUSED',
    'API_KEY_ADDRESS',
    'API_KEY_SCOPE',
    'TOO_MANY_REQUESTS',
    'INVALID_REQUEST',
  ] as const)
    codes.add(code);
  if (endpoint.method !== 'GET') codes.add('PRECONDITION_FAILED');
  return [...codes].sort((a, b) => errorCatalogue[a].status - errorCatalogue[b].status);
}
