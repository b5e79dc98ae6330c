import { useRefusal } from '@portal/app-kit';
import { whoisCustomers } from '@portal/contract/customers/customers';
import { pages } from '@portal/contract/pages';
import { prefixOfRange, parseRange } from '@portal/number-resources';
import { Button, LinkButton } from '@portal/ui';
import { customersPath } from '../customers/register-address.ts';
import type { Chosen } from './holding-map.ts';
import styles from './BlockActions.module.css';

/** Pages that work on addresses. */
const elsewhere = [
  { label: 'Whois', page: pages.whoisUpdates },
  { label: 'Routes', page: pages.routes },
  { label: 'Reverse DNS', page: pages.reverseDns },
];

/** Actions on the inspected block. */
export function BlockActions({ chosen, canAssign }: { chosen: Chosen; canAssign: boolean }) {
  const refusal = useRefusal(whoisCustomers.addAssignment);
  const { resource } = chosen;
  return (
    <div className={styles.actions}>
      {canAssign &&
        (refusal ? (
          <Button icon="plus" refusal={refusal}>
            Assign here
          </Button>
        ) : (
          <LinkButton href={hrefOfAssigning(chosen)} icon="plus">
            Assign here
          </LinkButton>
        ))}
      {elsewhere.map(({ label, page }) => (
        <LinkButton key={label} href={`${page.path}?${new URLSearchParams({ q: resource })}`}>
          {label}
        </LinkButton>
      ))}
    </div>
  );
}

/** The form of a new assignment: for free space that range is filled in, for a delegation any free prefix in it can be chosen. */
function hrefOfAssigning(chosen: Chosen): string {
  const query = new URLSearchParams({ add: 'yes' });
  const within = chosen.is === 'space' ? (chosen.holder ?? chosen.resource) : chosen.resource;
  if (prefixOfRange(parseRange(within))) query.set('within', within);
  if (chosen.is === 'space' && chosen.kind === 'free') query.set('range', chosen.resource);
  return `${customersPath}?${query}`;
}
