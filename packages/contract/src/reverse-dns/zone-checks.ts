import { contact, endpoint, group } from '../endpoint.ts';
import { DnsCheckRun, StartedCheck, StartingCheck } from './checks.ts';

/** Checks of reverse zones for programs: delegating a few zones takes one, made shortly before. */
export const zoneChecks = group('reverseDns.zoneChecks', {
  startZoneCheck: endpoint({
    method: 'POST',
    path: '/api/:account/reverse-dns/checks',
    publicApi: { path: '/reverse-dns/checks', scope: 'reverse-dns:write' },
    summary: 'Check a reverse zone: as it is delegated, or with the name servers and DS records given.',
    access: contact,
    effect: 'reading',
    body: StartingCheck,
    answer: StartedCheck,
    errors: ['TOO_MANY_CHECKS', 'INVALID_REQUEST'],
    activity: 'Checked a reverse zone',
  }),
  getZoneCheck: endpoint({
    method: 'GET',
    path: '/api/:account/reverse-dns/checks/:checkId',
    publicApi: { path: '/reverse-dns/checks/:checkId', scope: 'reverse-dns:read' },
    summary: 'A check and its report. Its id is the secret of its link.',
    access: contact,
    answer: DnsCheckRun,
    errors: ['NOT_FOUND'],
  }),
});
