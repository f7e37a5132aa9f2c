// A game that reads a content item through its generated types, and prints what it reads.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using GameConfig;
using Loadout;

internal static class ShopGame
{
    private static void Main(string[] arguments)
    {
        var client = new Client(new ClientOptions
        {
            Url = arguments[0],
            Key = arguments[1],
            User = "player-1",
            Storage = null,
            Updates = Updates.None,
        });
        Task<StartResult> start = client.StartAsync(TimeSpan.FromSeconds(10));
        while (!start.IsCompleted)
        {
            client.Update();
            Thread.Sleep(2);
        }
        Shop shop = client.GetShop(new Shop { Offers = new List<Offer>() });
        Offer offer = shop.Offers[0];
        string opens = shop.Opens.Value.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);
        Console.WriteLine(string.Join(" ", new[]
        {
            start.Result.Source.ToString().ToLowerInvariant(), shop.Currency == Currency.Eur ? "EUR" : "other",
            shop.Gems.ToString(CultureInfo.InvariantCulture), offer.Id,
            offer.Price.ToString(CultureInfo.InvariantCulture), opens, string.Join(",", shop.Prices.Keys),
        }));
        Motd motd = client.GetMotd(null);
        Console.WriteLine(motd.Text + " " + motd.Hours.Count + " " + (motd.Link ?? "no link"));
        client.Stop();
    }
}
