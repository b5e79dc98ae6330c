import { type AnyEndpoint, type CallAnswer, type CallInput, FailureBanner, reading, useKit } from '@portal/app-kit';
import { applications } from '@portal/contract/applications/applications';
import { registryRequests } from '@portal/contract/contacts/registry-requests';
import { organisationChanges } from '@portal/contract/organisations/changes';
import { accountClosures } from '@portal/contract/organisations/closures';
import { requestDesk } from '@portal/contract/requests/desk';
import { SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOpenCase } from '../shell/cases/open-case.ts';
import { ApplicationRequest } from './ApplicationRequest.tsx';
import { ClosureRequest } from './ClosureRequest.tsx';
import { ContactRequest } from './ContactRequest.tsx';
import { OrganisationRequest } from './OrganisationRequest.tsx';
import { ResourceCase } from './ResourceCase.tsx';

/** The case on the page, by its kind. */
export function CaseBody() {
  const {
    named: { kind, caseId: requestId },
    onPassed,
  } = useOpenCase();
  switch (kind) {
    case 'contacts':
      return (
        <One endpoint={registryRequests.getRegistryRequest} input={{ requestId }}>
          {request => <ContactRequest request={request} onPassed={onPassed} />}
        </One>
      );
    case 'organisations':
      return (
        <One endpoint={organisationChanges.getStaffOrganisationChange} input={{ changeId: requestId }}>
          {request => <OrganisationRequest request={request} onPassed={onPassed} />}
        </One>
      );
    case 'closures':
      return (
        <One endpoint={accountClosures.getStaffAccountClosure} input={{ closureId: requestId }}>
          {request => <ClosureRequest request={request} onPassed={onPassed} />}
        </One>
      );
    case 'resources':
    case 'transfers':
      return (
        <One endpoint={requestDesk.getStaffRequest} input={{ requestId }}>
          {request => <ResourceCase key={request.requestId} request={request} onPassed={onPassed} />}
        </One>
      );
    case 'applications':
      return (
        <One endpoint={applications.getStaffApplication} input={{ applicationId: requestId }}>
          {request => <ApplicationRequest request={request} onPassed={onPassed} />}
        </One>
      );
    case 'tickets':
      // A ticket has an address of its own.
      return null;
  }
}

/** Reads one request and shows it, or why it can't be read. */
function One<E extends AnyEndpoint>({
  endpoint,
  input,
  children,
}: {
  endpoint: E;
  input: CallInput<E>;
  children: (request: CallAnswer<E>) => ReactNode;
}) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, endpoint, input));
  if (error) return <FailureBanner failure={error} />;
  return data === undefined ? <SkeletonLines lines={6} label="Loading the request" /> : children(data);
}
