import { useAddress } from '@portal/app-kit';
import { Button, Row } from '@portal/ui';

/** Next and first links of a keyset-paged list; the browser's Back button leads to the previous page. */
export function KeysetPager({ next }: { next: string | null }) {
  const address = useAddress();
  const after = address.get('after');
  if (after === null && next === null) return null;
  const go = (to: string | null) => address.set({ after: to }, { step: true });
  return (
    <nav aria-label="Pages">
      <Row gap={8}>
        <Button size="s" refusal={after === null ? { reason: 'This is the first page' } : null} onClick={() => go(null)}>
          First page
        </Button>
        <Button size="s" refusal={next === null ? { reason: 'This is the last page' } : null} onClick={() => go(next)}>
          Next page
        </Button>
      </Row>
    </nav>
  );
}
