import { shownErrors } from '@portal/contract';
import { Link } from '@portal/ui';
import { useKit } from '../kit/kit.ts';

/** The message of an error; if it ends in "contact Support", that is a link (specification, section 8). */
export function ErrorWords({ message }: { message: string }) {
  const { supportUrl } = useKit().environment;
  if (message !== shownErrors.UNEXPECTED_ERROR.message) return <>{message}</>;
  return (
    <>
      {message.slice(0, -'Support'.length)}
      <Link href={supportUrl}>Support</Link>
    </>
  );
}
