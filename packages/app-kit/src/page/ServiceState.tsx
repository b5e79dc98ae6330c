import { MINUTE_MS } from '@portal/contract/days';
import { DateText, Link } from '@portal/ui';
import { FooterPulse } from '@portal/ui/shell/FooterPulse';
import { useQuery } from '@tanstack/react-query';

const states = ['working', 'late', 'down'] as const;
type Headline = { state: (typeof states)[number]; title: string; readAt: string | null };

/** The sentence of the status page, checked: null if it isn't one. */
export function headlineFrom(given: unknown): Headline | null {
  const { state: name, title, readAt } = (given ?? {}) as Record<string, unknown>;
  const state = states.find(each => each === name);
  if (!state || typeof title !== 'string' || (readAt !== null && typeof readAt !== 'string')) return null;
  return { state, title, readAt };
}

/** Reads the sentence of the status page, which answers without the database; null if even that can't be read. */
async function readHeadline(): Promise<Headline | null> {
  try {
    const response = await fetch('/status?as=headline', { headers: { accept: 'application/json' } });
    return response.ok ? headlineFrom(await response.json()) : null;
  } catch {
    return null;
  }
}

/** Whether the registry's services work, in the foot of every page, with the way to the status page; nothing while it isn't known. */
export function ServiceState() {
  const { data } = useQuery({
    queryKey: ['status', 'headline'],
    queryFn: readHeadline,
    staleTime: MINUTE_MS,
    refetchInterval: 5 * MINUTE_MS,
  });
  if (!data) return null;
  return (
    <FooterPulse state={data.state}>
      <span>
        <Link href="/status">{data.title}</Link>
        {data.readAt && (
          <>
            , <DateText value={data.readAt} shape="time" />
          </>
        )}
      </span>
    </FooterPulse>
  );
}
