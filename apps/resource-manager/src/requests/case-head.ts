import { reading, useAccount, useKit } from '@portal/app-kit';
import { requests } from '@portal/contract/requests/requests';
import { useQuery } from '@tanstack/react-query';
import { caseHeading } from './case-heading.ts';

type Head = { heading: string; sub: string };

/** The head of a page that shows one case: its state, with the request in words below; before it is known, and for a draft, the page's own. */
export function useCaseHead(requestId: string | null, own: Head): Head {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data } = useQuery({
    ...reading(call, requests.getRequest, { account, requestId: requestId ?? '' }),
    enabled: requestId !== null,
  });
  if (requestId === null || !data) return own;
  if (data.state === 'draft') return data.form.resources.length > 0 ? { ...own, heading: data.asked } : own;
  return { heading: caseHeading(data), sub: `${data.reference}: ${data.asked}` };
}
