import { reading } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { announcements } from '@portal/contract/announcements/announcements';
import { MINUTE_MS } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { Banner, Button, LinkButton } from '@portal/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Portal } from '../portal.ts';
import styles from './Announcements.module.css';

const TextsToAccept = optionalPart(() => import('./legal/TextsToAccept.tsx'), 'TextsToAccept');

const againMs = 10 * MINUTE_MS;

/** Announcements of the registry on every page, until the person acknowledges them or they end. Empty if they can't be read. */
export function Announcements({ portal }: { portal: Portal }) {
  const answers = useQueryClient();
  const query = reading(portal.call, announcements.listBanners, {});
  const { rows = [], texts } = useQuery({ ...query, staleTime: againMs, refetchInterval: againMs }).data ?? {};
  const acknowledge = useMutation({
    mutationFn: (announcementId: string) => portal.call(announcements.acknowledgeAnnouncement, { announcementId }),
    onSettled: () =>
      Promise.all(
        [announcements.listBanners, announcements.listAnnouncements].map(({ id }) => answers.invalidateQueries({ queryKey: [id] })),
      ),
  });
  if (rows.length === 0 && !texts) return null;
  return (
    <div className={styles.list}>
      {Boolean(texts) && <TextsToAccept />}
      {rows.map(({ announcementId, severity, title, requiresAck, affects }) => (
        <Banner
          key={announcementId}
          kind={severity === 'critical' ? 'error' : severity === 'warning' ? 'warning' : 'info'}
          title={`${title}.`}
          beside
          actions={
            <>
              <LinkButton size="s" href={`${pages.announcements.path}?announcement=${announcementId}`}>
                Read
              </LinkButton>
              <Button
                size="s"
                busy={acknowledge.isPending && acknowledge.variables === announcementId}
                aria-label={`${requiresAck ? 'Acknowledge' : 'Dismiss'}: ${title}`}
                onClick={() => acknowledge.mutate(announcementId)}
              >
                {requiresAck ? 'Acknowledge' : 'Dismiss'}
              </Button>
            </>
          }
        >
          {affects.length > 0 && `It affects ${affects.join(', ')}.`}
        </Banner>
      ))}
    </div>
  );
}
