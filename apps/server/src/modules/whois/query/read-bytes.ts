/** Bytes of objects after which no more are read together: one object may have hundreds of thousands, and an answer has any number of them. */
export const READ_BYTES = 262_144;
