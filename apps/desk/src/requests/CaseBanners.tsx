import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { recoveryGrounds } from '@portal/contract/requests/recoveries';
import { Banner, DateText, Link } from '@portal/ui';

/** Banners of a case: who was asked, an event that is over, a day that it waits for. */
export function CaseBanners({ request }: { request: StaffResourceRequest }) {
  const { returnDue, recovery } = request;
  const isOpen = request.resolvedAt === null;
  return (
    <>
      {request.questions.map(({ accountName, words, answerBy }) => (
        <Banner key={accountName} kind="info" title={`${accountName} was asked.`}>
          {words} It answers by <DateText value={answerBy} shape="day" />.
        </Banner>
      ))}
      {isOpen && returnDue && (
        <Banner kind="info" title={`The event of ${returnDue.resource} is over.`}>
          The registry opened this return on the day after its last day, <DateText value={returnDue.endedOn} shape="date" />. If you reject
          it, it opens again. If the event goes on,{' '}
          <Link href={`/desk/accounts/${encodeURIComponent(request.accountName)}#event-space`}>set a later last day</Link> instead.
        </Banner>
      )}
      {request.notBefore && !recovery && (
        <Banner kind="info" title={request.kind === 'return' ? 'The numbers are still used.' : 'The merger isn’t in effect yet.'}>
          {request.accountName} named <DateText value={request.notBefore} shape="date" />. It can be carried out from that day on, and its
          time begins to count then.
        </Banner>
      )}
      {isOpen && recovery && (
        <Banner kind="warning" title="The registry takes these numbers back.">
          {recoveryGrounds[recovery.ground]}. {request.accountName} can object until <DateText value={recovery.noticeUntil} shape="date" />.
          It can be carried out from that day on. If you reject it, everything stays as it is.
        </Banner>
      )}
      {isOpen && request.direct && (
        <Banner kind="info" title="The registry delegates these numbers without a request.">
          {request.requestedBy} opened it. Checks that aren’t met are for two people to judge. {request.accountName} can decline it until
          it’s approved.
        </Banner>
      )}
    </>
  );
}
