import {
  delegatedZoneProblem,
  fewestServers,
  isOutdatedDs,
  maxServers,
  type RpslObject,
  serverAddressProblem,
  serverBesideCaution,
  serverPlaceProblem,
  valuesOf,
} from '@portal/rpsl';
import { objectOfRow } from '../store/object-facts.ts';
import type { Rule } from './rule.ts';
import { type Item, problem } from '../store/update.ts';

const hostOf = (value: string): string => value.toLowerCase().split(/\s/)[0]!.replace(/\.$/, '');
const hostsOf = (object: RpslObject): string[] => [...new Set(valuesOf(object, 'nserver').map(hostOf))];
const delegationOf = (object: RpslObject): string =>
  [...valuesOf(object, 'nserver'), ...valuesOf(object, 'ds-rdata')]
    .map(value => value.toLowerCase())
    .toSorted()
    .join('\n');

/** Returns whether the name servers change. */
const changesServers = ({ object, stored }: Item): boolean =>
  stored === null || hostsOf(object).toSorted().join() !== hostsOf(objectOfRow(stored)).toSorted().join();
const changesDelegation = ({ object, stored }: Item): boolean =>
  stored === null || delegationOf(object) !== delegationOf(objectOfRow(stored));

/** Domains that the registry delegates, unlike those of ENUM. */
const isReverse = ({ key }: Item): boolean => key.endsWith('.arpa') && !key.endsWith('e164.arpa');

/** Rules of reverse domains, for every way of writing them. Valid values are in the syntax of nserver and ds-rdata. */
export const domainRules: readonly Rule[] = [
  {
    on: ['create'],
    classes: ['domain'],
    check: item => {
      const never = isReverse(item) ? delegatedZoneProblem(item.key) : null;
      return never === null ? [] : [problem(item.object, 'zone-not-delegated', never, { attribute: 'domain' })];
    },
  },
  {
    on: ['create', 'modify'],
    classes: ['domain'],
    check: item => {
      const { length } = hostsOf(item.object);
      if (!isReverse(item) || !changesServers(item) || (length >= fewestServers && length <= maxServers)) return [];
      return [
        length < fewestServers
          ? problem(
              item.object,
              'too-few-servers',
              `${item.shown} has ${length === 0 ? 'no name server' : 'one name server'}. Enter at least two, so that one may fail (RFC 2182)`,
              { attribute: 'nserver' },
            )
          : problem(item.object, 'too-many-servers', `${item.shown} has ${length} name servers. Enter at most ${maxServers}`, {
              attribute: 'nserver',
            }),
      ];
    },
  },
  {
    on: ['create', 'modify'],
    classes: ['domain'],
    check: item =>
      !isReverse(item) || !changesDelegation(item)
        ? []
        : valuesOf(item.object, 'nserver').flatMap(value => {
            const address = value.split(/\s+/)[1];
            const wrong = address === undefined ? null : serverAddressProblem(address);
            return wrong === null ? [] : [problem(item.object, 'glue-unreachable', wrong, { attribute: 'nserver', value })];
          }),
  },
  {
    on: ['create', 'modify'],
    classes: ['domain'],
    check: item =>
      !isReverse(item) || !changesServers(item)
        ? []
        : valuesOf(item.object, 'nserver').flatMap(value => {
            const host = hostOf(value);
            // The syntax of nserver demands the address of a server inside the zone.
            const lost = serverPlaceProblem(item.key, host, { hasAddress: true });
            if (lost !== null) return [problem(item.object, 'server-unfindable', lost, { attribute: 'nserver', value })];
            const caution = serverBesideCaution(item.key, host);
            return caution === null
              ? []
              : [problem(item.object, 'server-beside', caution, { severity: 'warning', attribute: 'nserver', value })];
          }),
  },
  {
    on: ['create', 'modify'],
    classes: ['domain'],
    check: ({ object }) =>
      valuesOf(object, 'ds-rdata')
        .filter(isOutdatedDs)
        .map(value =>
          problem(
            object,
            'ds-outdated',
            'This DS rests on SHA-1, which is outdated. Add one with digest type 2 (SHA-256), of a key with algorithm 13 or 15',
            { severity: 'warning', attribute: 'ds-rdata', value },
          ),
        ),
  },
  {
    on: ['create', 'modify'],
    classes: ['domain'],
    membersOnly: true,
    check: item =>
      item.update.serversChecked || !isReverse(item) || !changesDelegation(item)
        ? []
        : [
            problem(
              item.object,
              'servers-unchecked',
              `These name servers weren’t checked for ${item.shown}. Check them under Technical, Reverse DNS check. Contacts are notified of servers that don’t answer`,
              { severity: 'warning', attribute: 'nserver' },
            ),
          ],
  },
];
