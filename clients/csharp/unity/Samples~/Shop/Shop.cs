// A shop whose prices come from Loadout. Put it on a game object of an empty scene, fill in the address and the key, and press
// Play; then edit the content item "shop", for instance { "items": [{ "name": "Sword", "price": 5 }] }.
using System;
using Loadout;
using UnityEngine;

public class Shop : MonoBehaviour
{
    [SerializeField] private string url = "http://127.0.0.1:8080";
    [SerializeField] private string key = "";

    /// <summary>What <c>loadout export --baseline</c> wrote, as an asset: the shop has prices at the first start without a network.</summary>
    [SerializeField] private TextAsset baseline = null;

    private const int ItemsMax = 20;
    private Client client;
    private string status = "starting";
    private bool isWaiting;

    private async void Start()
    {
        client = new Client(new ClientOptions
        {
            Url = url,
            Key = key,
            User = PlayerId(),
            Attributes = new Attributes { { "platform", "unity" }, { "level", 3 } },
            AppVersion = Application.version,
            Baseline = baseline == null ? null : baseline.text,
            Log = (code, sentence) => Debug.Log(sentence),
        });
        client.Watch(notice => isWaiting |= notice.Type == NoticeType.Waiting);
        StartResult result = await client.StartAsync(TimeSpan.FromSeconds(2));
        status = "prices from " + result.Source;
        // The menu is there: this configuration works.
        client.Ready();
    }

    private void Update()
    {
        client.Update();
    }

    private void OnGUI()
    {
        GUILayout.Label("Shop (" + status + ")");
        for (int at = 0; at < ItemsMax; at += 1)
        {
            ConfigValue<string> name = client.Get("shop", "/items/" + at + "/name", "");
            ConfigValue<double> price = client.Get("shop", "/items/" + at + "/price", 0.0);
            if (name.Source == Source.Default) break;
            // Offline, an offer may have ended since the prices came.
            if (GUILayout.Button(name.Value + ": " + price.Value) && !price.IsPastChange) status = "bought " + name.Value;
        }
        // Prices change when the player asks for it, never between display and purchase.
        if (!isWaiting || !GUILayout.Button("New prices")) return;
        isWaiting = false;
        client.Activate();
        client.Ready();
    }

    private void OnApplicationPause(bool isPaused)
    {
        if (client == null) return;
        if (isPaused) client.Suspend();
        else client.Resume();
    }

    private void OnDestroy()
    {
        if (client != null) client.Stop();
    }

    private static string PlayerId()
    {
        string id = PlayerPrefs.GetString("player", "");
        if (id != "") return id;
        id = Guid.NewGuid().ToString("N");
        PlayerPrefs.SetString("player", id);
        return id;
    }
}
