// A game in a terminal whose shop comes from Loadout:
//
//   ConsoleGame.exe http://127.0.0.1:8080 API-KEY PLAYER FOLDER
//
// "buy" buys, "quit" ends. Edit the content item "shop", for instance { "name": "Sword", "price": 5 }, while it runs.
using System;
using System.Threading;
using System.Threading.Tasks;
using Loadout;

internal sealed class ConsoleGame
{
    private const int FrameMs = 16;
    private readonly Client _client;
    private string _typed;
    private bool _isOver;

    private ConsoleGame(string url, string key, string player, string folder)
    {
        _client = new Client(new ClientOptions
        {
            Url = url,
            Key = key,
            User = player,
            Attributes = new Attributes { { "platform", "console" } },
            Storage = new FileStorage(folder),
        });
        _client.Watch(OnNotice);
    }

    private static int Main(string[] args)
    {
        if (args.Length != 4)
        {
            Console.Error.WriteLine("ConsoleGame.exe URL API-KEY PLAYER FOLDER");
            return 2;
        }
        new ConsoleGame(args[0], args[1], args[2], args[3]).Play();
        return 0;
    }

    /// <summary>One loop on one thread: the client has its turn in each frame.</summary>
    private void Play()
    {
        Task<StartResult> start = _client.StartAsync(TimeSpan.FromSeconds(5));
        var typing = new Thread(ReadKeyboard) { IsBackground = true };
        typing.Start();
        bool isOpen = false;
        while (!_isOver)
        {
            _client.Update();
            if (start.IsCompleted && !isOpen)
            {
                isOpen = true;
                Console.WriteLine("Configuration: " + start.Result.Source);
                ShowShop();
                // The menu is there: this configuration works.
                _client.Ready();
            }
            TakeCommand(Interlocked.Exchange(ref _typed, null));
            Thread.Sleep(FrameMs);
        }
        _client.Stop();
        _client.Update();
    }

    private void OnNotice(Notice notice)
    {
        if (notice.Type == NoticeType.Failed) Console.WriteLine("The server cannot be used: " + notice.Code);
        if (notice.Type != NoticeType.Waiting) return;
        // Between two rounds; a game with a shop on the screen would wait until it closes.
        _client.Activate();
        _client.Ready();
        Console.WriteLine("New prices!");
        ShowShop();
    }

    private void ShowShop()
    {
        Console.WriteLine(_client.Get("shop", "/name", "Stick").Value + " costs " + Price().Value);
    }

    private void TakeCommand(string command)
    {
        if (command == "quit") _isOver = true;
        if (command != "buy") return;
        ConfigValue<double> price = Price();
        Console.WriteLine(price.IsPastChange ? "The shop is closed." : "Bought for " + price.Value);
    }

    private ConfigValue<double> Price()
    {
        return _client.Get("shop", "/price", 1.0); // 1 would read integers only.
    }

    private void ReadKeyboard()
    {
        string line;
        while ((line = Console.ReadLine()) != null) Interlocked.Exchange(ref _typed, line);
        Interlocked.Exchange(ref _typed, "quit");
    }
}
