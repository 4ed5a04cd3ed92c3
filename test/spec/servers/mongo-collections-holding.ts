import { BSON, MongoClient } from 'mongodb';

/** The collections of a database in which a text is still found, wherever in a document. */
export async function mongoCollectionsHolding(url: string, text: string): Promise<string[]> {
  const client = new MongoClient(url);
  try {
    const collections = await client.db().collections();
    const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
    return collections
      .filter((_, index) => documents[index]!.some((document) => Buffer.from(BSON.serialize(document)).includes(text)))
      .map(({ collectionName }) => collectionName);
  } finally {
    await client.close();
  }
}
