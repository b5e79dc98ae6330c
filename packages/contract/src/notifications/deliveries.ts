import * as z from 'zod/mini';

/** Ways to deliver a topic. The portal always shows it. */
export const deliveries = {
  'at-once': 'By e-mail, immediately',
  daily: 'By e-mail, once a day',
  weekly: 'By e-mail, once a week',
  portal: 'In the portal only',
} as const;
export type Delivery = keyof typeof deliveries;
/** A delivery as a call names it. */
export const DeliveryName = z.enum(Object.keys(deliveries) as [Delivery, ...Delivery[]]);
