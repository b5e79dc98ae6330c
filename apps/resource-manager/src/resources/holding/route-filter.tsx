import { reading, useAccount, useAddress, useKit } from '@portal/app-kit';
import { type Registration, resources } from '@portal/contract/resources/resources';
import { routedSpace } from '@portal/contract/routes/routed-space';
import { enclosingPrefix, parseRange, printPrefix } from '@portal/number-resources';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { BesideMap } from '../registrations/RegistrationsTable.tsx';
import { type BlockRoute, routeOf } from './block-states.ts';

const any = 'any';
const options = [
  { value: any, label: 'Any route' },
  { value: 'valid', label: 'Valid' },
  { value: 'invalid', label: 'Invalid' },
  { value: 'not-found', label: 'Not found' },
  { value: 'none', label: 'Not announced' },
] as const;
type Choice = (typeof options)[number]['value'];
const choices = options.map(({ value }) => value) as [Choice, ...Choice[]];

/** Whether a block is announced as chosen: by the announcement that its row shows, which is the one that needs attention most. */
export function isAnnounced(route: BlockRoute | null | undefined, choice: Choice): boolean {
  if (route === undefined) return choice === any;
  if (choice === any) return true;
  if (choice === 'none' || route === null) return choice === 'none' && route === null;
  return choice === 'invalid' ? route.first.validity.startsWith('invalid') : route.first.validity === choice;
}

/** The filter of blocks by how they are announced, from the reads that their rows share. Null for contacts who may not see announcements. */
export function useRouteFilter(kind: 'ipv4' | 'ipv6', isAllowed: boolean): BesideMap['filter'] {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const address = useAddress();
  const choice = address.oneOf('route', choices);
  const isOn = isAllowed && choice !== any;
  const client = useQueryClient();
  const { data: spaces } = useQuery({
    queryKey: ['routed spaces', account, kind],
    queryFn: async () => {
      const { rows } = await client.fetchQuery(
        reading(call, resources.listDelegations, { account, query: { kind, type: 'allocated', limit: 500 } }),
      );
      const spaceOf = (resource: string) =>
        client.fetchQuery(
          reading(call, routedSpace.getRoutedSpace, { account, query: { within: printPrefix(enclosingPrefix(parseRange(resource))) } }),
        );
      return new Map(await Promise.all(rows.map(async ({ resource }) => [resource, await spaceOf(resource)] as const)));
    },
    enabled: isOn,
  });
  if (!isAllowed) return null;
  const keeps = ({ row, resource, parent }: Registration): boolean => {
    const space = spaces?.get(parent);
    return row === 'registration' && space !== undefined && isAnnounced(routeOf(space, resource), choice);
  };
  return {
    tool: (
      <FilterSelect
        label="Route"
        value={choice}
        options={options}
        onChange={value => address.set({ route: value === any ? null : value, page: null })}
      />
    ),
    keeps: isOn ? (spaces ? keeps : undefined) : null,
    clear: { route: null },
  };
}
