/** A store under test, and how to let go of it. */
export interface Opened<Store> {
  readonly store: Store;
  close(): Promise<void>;
}

/** Opens a new, empty store. */
export type Open<Store> = () => Promise<Opened<Store>>;

/** A test body that has a store of its own. */
export const withStore =
  <Store>(open: Open<Store>, test: (store: Store) => Promise<void>) =>
  async (): Promise<void> => {
    const { store, close } = await open();
    try {
      await test(store);
    } finally {
      await close();
    }
  };
