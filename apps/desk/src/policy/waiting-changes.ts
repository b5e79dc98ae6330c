import { policy } from '@portal/contract/policy/policy';
import { useWaiting } from '../shell/AlsoWaiting.tsx';
import { useMay } from '../shell/use-may.ts';
import { changeHref } from './policy-words.ts';

/** Changes of the policy that wait for a second person, by their id: whether the reader can be that person. */
export type WaitingChanges = ReadonlyMap<string, { isYours: boolean }>;

/** Returns the changes of the policy that wait for a second person. */
export function useWaitingChanges(): WaitingChanges {
  const acts = useMay()(policy.confirmPolicyChange);
  const changes = useWaiting().filter(({ link }) => link?.startsWith(changeHref('')));
  return new Map(
    changes.map(({ link, isMine, needsRole }) => [link!.slice(changeHref('').length), { isYours: acts && !isMine && needsRole === null }]),
  );
}
