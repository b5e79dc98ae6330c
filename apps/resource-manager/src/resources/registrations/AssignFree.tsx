import { refusedBy, useMaybeSession } from '@portal/app-kit';
import { whoisCustomers } from '@portal/contract/customers/customers';
import { LinkButton } from '@portal/ui';

/** Button that begins an assignment out of a free range, for contacts who may make one. */
export function AssignFree({ within }: { within: string }) {
  if (refusedBy(whoisCustomers.addAssignment, useMaybeSession())) return null;
  return (
    <LinkButton
      size="s"
      variant="quiet"
      icon="plus"
      href={`/resources/customers/customer_management?${new URLSearchParams({ add: 'yes', within })}`}
      aria-label={`Assign from ${within}`}
    >
      Assign
    </LinkButton>
  );
}
