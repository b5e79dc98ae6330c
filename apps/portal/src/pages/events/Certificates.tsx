import { useChange, useKit } from '@portal/app-kit';
import { useOpenFile } from '@portal/app-kit/documents/open-file';
import type { AttendedEvent } from '@portal/contract/events/event-shapes';
import { events } from '@portal/contract/events/events';
import { Button, Row } from '@portal/ui';

/** The certificates of one past event, and asking for one: in the person’s own name, or with that of the account. */
export function Certificates({ event, account }: { event: AttendedEvent; account: string | null }) {
  const { notify } = useKit();
  const request = useChange(events.requestCertificate, {
    refresh: [events.listAttendedEvents],
    onDone: ({ certificates }) => {
      const last = certificates.at(-1);
      notify({
        text:
          last?.state === 'requested'
            ? `${last.account} has to approve the certificate. We write to you then.`
            : `The certificate of ${event.title} is ready.`,
      });
    },
  });
  if (!event.attended) return <span className="quiet">None</span>;
  const own = event.certificates.filter(({ state }) => state !== 'rejected');
  const rejected = event.certificates.filter(({ state, account: of }) => state === 'rejected' && !own.some(each => each.account === of));
  const ask = (of: string | null) => request.mutate({ event: event.event, body: { account: of } });
  const asked = (of: string | null): boolean => own.some(each => each.account === of);
  return (
    <Row wrap gap={8}>
      {own.map(({ code, state, account: of }) =>
        state === 'issued' ? (
          <OpenCertificate key={code} code={code} of={of} title={event.title} />
        ) : (
          <span key={code} className="small quiet">
            Awaiting approval of {of}
          </span>
        ),
      )}
      {rejected.map(({ code, account: of, reason }) => (
        <span key={code} className="small quiet">
          {of} rejected it{reason && `: ${reason}`}
        </span>
      ))}
      {!asked(null) && (
        <Button size="s" busy={request.isPending} onClick={() => ask(null)} aria-label={`Get certificate of ${event.title}`}>
          Get certificate
        </Button>
      )}
      {account !== null && !asked(account) && (
        <Button
          size="s"
          variant="quiet"
          busy={request.isPending}
          onClick={() => ask(account)}
          aria-label={`Get one with ${account}: certificate of ${event.title}`}
        >
          Get one with {account}
        </Button>
      )}
    </Row>
  );
}

function OpenCertificate({ code, of, title }: { code: string; of: string | null; title: string }) {
  const { open, opening } = useOpenFile(events.openEventCertificate);
  return (
    <Button
      size="s"
      icon="download"
      busy={opening}
      onClick={() => void open({ code })}
      aria-label={`Open PDF${of ? ` (${of})` : ''}: certificate of ${title}`}
    >
      Open PDF{of && ` (${of})`}
    </Button>
  );
}
