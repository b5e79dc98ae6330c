import type { AnyEndpoint } from '@portal/api-client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { liveChannel, type LiveMessage } from '../auth/live-channel.ts';

/** Reads calls again as soon as the registry says that what they show has changed. Without a stream nothing happens: pages look again after a while. */
export function useLive(what: LiveMessage['what'], reads: readonly AnyEndpoint[], id?: string): void {
  const answers = useQueryClient();
  const keys = reads.map(read => read.id).join(' ');
  useEffect(() => {
    const channel = new BroadcastChannel(liveChannel);
    channel.onmessage = ({ data }: MessageEvent<LiveMessage>) => {
      if (data.what !== what || (id !== undefined && data.id !== id)) return;
      for (const key of keys.split(' ')) void answers.invalidateQueries({ queryKey: [key] });
    };
    return () => channel.close();
  }, [answers, what, keys, id]);
}
