import { backEndAnswerOf } from '@portal/contract/back-end-paths';
import { linkKind } from '@portal/contract/link';
import type { LinkProps } from '@portal/ui';
import type { MouseEvent } from 'react';
import { useKit } from '../kit/kit.ts';
import { placeOf } from '../kit/place.ts';

/**
 * A link as the specification follows it: http, https and ftp load a page, a mail address is the
 * browser's, everything else is navigated in place, a link to the current path reloads its page. Other schemes are refused and stay words. Windows it
 * opens cannot reach back.
 */
export function AppLink({ href, onClick, children, ...rest }: LinkProps) {
  const { router } = useKit();
  const kind = linkKind(href);
  if (kind === 'refused') return <span className={rest.className}>{children}</span>;
  if (kind === 'page' || kind === 'mail' || rest.target || backEndAnswerOf(href)) {
    // From a framed page the portal around it leaves too: other pages refuse to be framed.
    return (
      <a {...rest} target={rest.target ?? '_top'} href={href} onClick={onClick} rel="noopener noreferrer">
        {children}
      </a>
    );
  }
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const place = router.place();
    const next = placeOf(href, place);
    const here = next.path === place.path && next.search === '' && next.hash === '';
    if (!here || place.search || place.hash) router.go(href, { replace: here });
    if (here) router.reload();
  };
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}
