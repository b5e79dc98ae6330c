import { type AnyEndpoint, type CallAnswer, type CallInput, FailureBanner, reading, useKit } from '@portal/app-kit';
import { applications } from '@portal/contract/applications/applications';
import { registryRequests } from '@portal/contract/contacts/registry-requests';
import { organisationChanges } from '@portal/contract/organisations/changes';
import { accountClosures } from '@portal/contract/organisations/closures';
import { requestDesk } from '@portal/contract/requests/desk';
import { type DeskRequest, deskKinds } from '@portal/contract/staff/desk';
import { Button, ButtonRow, Panel, SkeletonLines, StateMark } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ReplyContext } from '../shell/InsertTemplate.tsx';
import { ApplicationRequest } from './ApplicationRequest.tsx';
import { ClosureRequest } from './ClosureRequest.tsx';
import { ContactRequest } from './ContactRequest.tsx';
import { OrganisationRequest } from './OrganisationRequest.tsx';
import { queueStates, stateWords } from './queue-words.ts';
import { ResourceCase } from './ResourceCase.tsx';

type Props = {
  named: Pick<DeskRequest, 'kind' | 'requestId'>;
  /** Its row in the list, or as it was last; null if the list does not include it. */
  row: DeskRequest | null;
  isListed: boolean;
  /** To its neighbours in the list; null at an end. */
  onStep: { earlier: (() => void) | null; later: (() => void) | null };
  onDecided: () => void;
  onClose: () => void;
};

/** One request of any kind, beside the queue. It is read separately, so that a link to it works whatever the list shows. */
export function RequestPanel({ named, row, isListed, onStep, onDecided, onClose }: Props) {
  const { call } = useKit();
  // What the list doesn't name is named by its own answer, which the panel reads anyway.
  const isCase = named.kind === 'resources' || named.kind === 'transfers';
  const { data } = useQuery({
    ...reading(call, requestDesk.getStaffRequest, { requestId: named.requestId }),
    enabled: isCase,
  });
  const read = data && {
    asked: data.asked,
    reference: data.reference,
    accountName: data.accountName,
    requestedBy: data.requestedBy,
    state: queueStates[data.state],
  };
  const head = isListed ? row : (read ?? row);
  return (
    <Panel
      title={head?.asked ?? deskKinds[named.kind]}
      sub={[head?.reference, head?.accountName].filter(Boolean).join(', ')}
      actions={head && (isListed || read) && <StateMark state={stateWords[head.state].state}>{stateWords[head.state].words}</StateMark>}
      onClose={onClose}
      footer={
        (onStep.earlier ?? onStep.later) && (
          <ButtonRow>
            {onStep.earlier && (
              <Button size="s" variant="quiet" icon="arrow-up" onClick={onStep.earlier}>
                Previous
              </Button>
            )}
            {onStep.later && (
              <Button size="s" variant="quiet" icon="arrow-down" onClick={onStep.later}>
                Next
              </Button>
            )}
          </ButtonRow>
        )
      }
    >
      <ReplyContext
        value={{
          kind: named.kind,
          account: head?.accountName ?? null,
          request: head?.reference ?? null,
          // What the registry opened itself has no one on the other side who asked.
          contact: data?.direct || data?.recovery ? null : (head?.requestedBy ?? null),
        }}
      >
        <Body named={named} onDecided={onDecided} />
      </ReplyContext>
    </Panel>
  );
}

function Body({ named: { kind, requestId }, onDecided }: Pick<Props, 'named' | 'onDecided'>) {
  switch (kind) {
    case 'contacts':
      return (
        <One endpoint={registryRequests.getRegistryRequest} input={{ requestId }}>
          {request => <ContactRequest request={request} onDecided={onDecided} />}
        </One>
      );
    case 'organisations':
      return (
        <One endpoint={organisationChanges.getStaffOrganisationChange} input={{ changeId: requestId }}>
          {request => <OrganisationRequest request={request} onDecided={onDecided} />}
        </One>
      );
    case 'closures':
      return (
        <One endpoint={accountClosures.getStaffAccountClosure} input={{ closureId: requestId }}>
          {request => <ClosureRequest request={request} onDecided={onDecided} />}
        </One>
      );
    case 'resources':
    case 'transfers':
      return (
        <One endpoint={requestDesk.getStaffRequest} input={{ requestId }}>
          {request => <ResourceCase key={request.requestId} request={request} onDecided={onDecided} />}
        </One>
      );
    case 'applications':
      return (
        <One endpoint={applications.getStaffApplication} input={{ applicationId: requestId }}>
          {request => <ApplicationRequest request={request} onDecided={onDecided} />}
        </One>
      );
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
